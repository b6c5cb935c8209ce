import GranaryModel

/// The objects of a store, to find references that lead to none. A hierarchy is read when it is asked for: two bytes for
/// each object stay in memory.
final class ExistingObjects {
    private let store: any StoreBackend
    private var keys: [Int: KeySet] = [:]

    private static let batchRows = 1000

    init(_ store: any StoreBackend) {
        self.store = store
    }

    func contains(_ key: Int64, entity: Int) throws -> Bool {
        let root = store.schema.entities[entity].root
        if let known = keys[root] { return known.contains(key) }
        var found = KeySet()
        try store.read(entities: store.schema.entities[root].family, batchSize: Self.batchRows) { batch in
            for row in batch.rows { found.insert(row.key) }
            return true
        }
        keys[root] = found
        return found.contains(key)
    }
}
