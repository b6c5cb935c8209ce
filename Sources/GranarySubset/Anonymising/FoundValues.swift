import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Looks for the attributes whose values contain a searched one.
struct FoundValues {
    let schema: Schema
    let isKept: (Int, Int) -> Bool
    let cancellation: Cancellation?

    /// The first attribute with each value: one that is kept, if there is one.
    func places(in store: SQLiteStore, of search: ByteSearch) throws -> [Int: String] {
        var places: [Int: (name: String, isKept: Bool)] = [:]
        for root in schema.entities where root.root == root.index {
            try store.read(entities: root.family, batchSize: 256) { batch in
                try cancellation?.check()
                for row in batch.rows.indices {
                    let entity = schema.entities[Int(batch.rows[row].entity)]
                    for attribute in entity.attributes where attribute.isPersistent {
                        let isKept = isKept(entity.index, attribute.slot)
                        try self.search(search, attribute, row, batch) { value in
                            guard places[value].map({ isKept && !$0.isKept }) ?? true else { return }
                            places[value] = ("\(schema.entities[attribute.owner].name).\(attribute.name)", isKept)
                        }
                    }
                }
                return true
            }
        }
        return places.mapValues(\.name)
    }

    private func search(
        _ search: ByteSearch, _ attribute: Schema.Attribute, _ row: Int, _ batch: borrowing RowBatch,
        _ note: (Int) -> Void
    ) throws {
        switch batch[row, attribute.slot] {
        case .text(let start, let count), .blob(let start, let count):
            batch.lend(start, count) { search.search($0, note) }
        case .file(let start, let count):
            let path = batch.lend(start, count) { String(decoding: $0, as: UTF8.self) }
            try search.search(file: path, cancellation, note)
        default: break
        }
    }
}
