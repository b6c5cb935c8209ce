import GranaryModel

/// The columns of one entity in an archive that is read.
struct ArchiveTable {
    let entity: Schema.Entity
    /// What attributes are that a row says nothing of, by their slots.
    let defaults: [(slot: Int, value: AttributeValue)]
    private let contents: [String: RecordTable.Content]
    /// By the reader's columns, as far as they are known.
    private var met: [RecordTable.Content?] = []

    init(_ entity: Schema.Entity, _ schema: Schema) {
        self.entity = entity
        let columns = RecordTable(complete: entity, of: schema).columns
        contents = Dictionary(columns.map { ($0.name, $0.content) }) { first, _ in first }
        defaults = columns.compactMap { column in
            guard case .attribute(let attribute) = column.content, let value = attribute.description.defaultValue
            else { return nil }
            return (attribute.slot, value)
        }
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
