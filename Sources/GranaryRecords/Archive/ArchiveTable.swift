import GranaryBase
import GranaryModel

/// The columns of one entity while an archive is read.
struct ArchiveTable {
    let entity: Schema.Entity
    private let contents: [String: RecordTable.Content]
    /// By the index of the reader's columns, for the columns read so far.
    private var met: [RecordTable.Content?] = []

    init(_ entity: Schema.Entity, _ schema: Schema) {
        self.entity = entity
        let columns = RecordTable(complete: entity, of: schema).columns
        contents = Dictionary(columns.map { ($0.name, $0.content) }) { first, _ in first }
    }

    /// Looks up the reader's new columns.
    mutating func meet(_ columns: [String]) {
        while met.count < columns.count { met.append(contents[columns[met.count]]) }
    }

    /// The content of a column; nil if the entity has no such column.
    func content(of column: Int32) -> RecordTable.Content? {
        met.indices.contains(Int(column)) ? met[Int(column)] : nil
    }
}

extension DiagnosticCollector {
    /// A collector for the problems of an archive.
    static var archiveProblems: DiagnosticCollector { DiagnosticCollector(limit: 1_000) }

    /// - Throws: ``GranaryError`` with code `refused` if there are problems.
    func check(archive path: String) throws(GranaryError) {
        try throwIfAnyError("\(path): the archive has \(count == 1 ? "1 problem" : "\(count) problems")")
    }
}
