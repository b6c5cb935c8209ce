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
