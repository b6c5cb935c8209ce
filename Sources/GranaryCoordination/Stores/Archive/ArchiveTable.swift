import GranaryBase
import GranaryModel

/// The columns of one entity in an archive that is read.
struct ArchiveTable {
    let entity: Schema.Entity
    private let contents: [String: RecordTable.Content]
    /// By the reader's columns, as far as they are known.
    private var met: [RecordTable.Content?] = []

    init(_ entity: Schema.Entity, _ schema: Schema) {
        self.entity = entity
        let columns = RecordTable(complete: entity, of: schema).columns
        contents = Dictionary(columns.map { ($0.name, $0.content) }) { first, _ in first }
    }

    /// Looks up the columns that the reader has met since.
    mutating func meet(_ columns: [String]) {
        while met.count < columns.count { met.append(contents[columns[met.count]]) }
    }

    /// What a column holds; nil for none of the entity's.
    func content(of column: Int32) -> RecordTable.Content? {
        met.indices.contains(Int(column)) ? met[Int(column)] : nil
    }
}

/// The names of objects in an archive: `Patient/p57`.
enum ArchiveObjectName {
    /// - Returns: the entity, as an index, and the key; nil for what is no such name.
    static func parse(_ text: UnsafeBufferPointer<UInt8>, _ schema: Schema) -> (entity: Int, key: Int64)? {
        guard let slash = text.lastIndex(of: UInt8(ascii: "/")), slash + 2 < text.count,
            text[slash + 1] == UInt8(ascii: "p"), (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(text[slash + 2]),
            let key = try? IntegerText.parse(UnsafeBufferPointer(rebasing: text[(slash + 2)...])),
            let entity = schema.entity(named: String(decoding: text[..<slash], as: UTF8.self))
        else { return nil }
        return (entity.index, key)
    }
}

/// What is wrong with an archive; bounded, since a file may be wrong everywhere.
struct ArchiveProblems {
    private static let limit = 1_000

    private(set) var diagnostics: [Diagnostic] = []
    /// How many there were, those left out included.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func report(_ diagnostic: Diagnostic) {
        count += 1
        if diagnostics.count < Self.limit { diagnostics.append(diagnostic) }
    }

    /// - Throws: ``GranaryError`` with code `refused` when anything was reported.
    func check(_ path: String) throws(GranaryError) {
        guard !isEmpty else { return }
        let number = count == 1 ? "1 problem" : "\(count) problems"
        throw GranaryError(.refused, "\(path): the archive has \(number)", diagnostics: diagnostics)
    }
}
