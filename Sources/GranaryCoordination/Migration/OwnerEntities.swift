import GranaryModel

/// The concrete entities of a relationship's owners. Callers must ask in ascending order of keys.
struct OwnerEntities {
    private static let batchSize = 1000

    private let store: any StoreBackend
    private let family: Range<Int>
    private var known: [(key: Int64, entity: Int)] = []
    private var place = 0
    private var lastKey = Int64.min
    private var isAtEnd: Bool

    init(of relationship: Schema.Relationship, in store: any StoreBackend) {
        self.store = store
        family = store.schema.entities[relationship.owner].family
        // Without subentities there is nothing to look up.
        isAtEnd = family.count == 1
    }

    /// Returns nil if there is no such object, or if only one entity is possible.
    mutating func entity(of key: Int64) throws -> Int? {
        while true {
            while place < known.count, known[place].key < key { place += 1 }
            if place < known.count { return known[place].key == key ? known[place].entity : nil }
            guard !isAtEnd else { return nil }
            let batch = try store.read(entities: family, after: lastKey, limit: Self.batchSize)
            known = batch.rows.map { (key: $0.key, entity: Int($0.entity)) }
            place = 0
            if let last = known.last { lastKey = last.key } else { isAtEnd = true }
        }
    }
}
