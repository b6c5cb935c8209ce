import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates

/// One of the two compared stores.
struct DiffSide {
    /// `A` or `B`, with which the messages of its errors begin.
    let label: String
    let store: any StoreBackend
    /// The keys by the indexes of the entities.
    private let keys: [Int: DiffKey.Side]

    /// The number of rows that are read at once to name objects.
    private static let namedRows = 32

    init(_ label: String, _ store: any StoreBackend, _ keys: [Int: DiffKey.Side]) {
        self.label = label
        self.store = store
        self.keys = keys
    }

    var schema: Schema { store.schema }

    /// Runs `body` and names the side in its errors.
    func labelled<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try translating(body)
        } catch let error as GranaryError where error.code != .interrupted {
            throw error.labelled(label)
        }
    }

    /// Reads the objects of an entity, without subentities, in the order of their primary keys.
    func read(entity: Schema.Entity, batchSize: Int, _ body: (borrowing RowBatch) throws -> Void) throws {
        // An error of the body is not one of this store.
        var failure: (any Error)?
        try labelled {
            try store.read(entities: entity.index..<entity.index + 1, batchSize: batchSize) { batch in
                do {
                    try body(batch)
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
        }
        if let failure { throw failure }
    }

    /// Reads objects of one hierarchy by their primary keys.
    func read(root: Int, keys: [Int64]) throws -> RowBatch {
        try labelled { try store.read(root: root, keys: keys) }
    }

    func readLinks(
        of relationship: Schema.Relationship, owners: [Int64], _ body: (Link) throws -> Void
    ) throws {
        try labelled { try store.readStoredLinks(of: relationship, owners: owners, body) }
    }

    /// The error of objects that cannot be read a second time. The store has the same state until the end.
    func damage(_ entity: Schema.Entity) -> GranaryError {
        let problem = "a row that was read in the order of the keys cannot be read again"
        guard let store = store as? SQLiteStore else {
            return GranaryError(Diagnostic(.storeCorrupt, "\(entity.name): \(problem)")).labelled(label)
        }
        return store.damage(in: store.layout.tableName(of: entity.index), problem).labelled(label)
    }

    // MARK: - Names

    /// The name of the object in a row.
    func object(row: Int, in batch: borrowing RowBatch) throws -> ObjectDifference.Object {
        let header = batch.rows[row]
        let entity = Int(header.entity)
        var key: [AttributeValue] = []
        for attribute in keys[entity]?.attributes ?? [] {
            guard case .value(let value) = ObjectDifference.Value(of: attribute, row: row, in: batch) else {
                return object(entity: entity, key: header.key)
            }
            key.append(value)
        }
        // The objects to which a key refers have a key without relationships.
        for relationship in keys[entity]?.relationships ?? [] {
            guard case .reference(let destination, let other) = batch[row, relationship.slot],
                let found = try objects([(Int(other), destination)]).first
            else { return object(entity: entity, key: header.key) }
            key += found.key.isEmpty ? [.string(found.id)] : found.key
        }
        return object(entity: entity, key: header.key, values: key)
    }

    /// The names of objects by their entities and primary keys, in the same order.
    func objects(_ references: [(entity: Int, key: Int64)]) throws -> [ObjectDifference.Object] {
        var found: [[Int64]: ObjectDifference.Object] = [:]
        var wanted: [Int: [Int64]] = [:]
        for reference in references where keys[reference.entity]?.isEmpty == false {
            wanted[schema.entities[reference.entity].root, default: []].append(reference.key)
        }
        for (root, all) in wanted {
            for start in stride(from: 0, to: all.count, by: Self.namedRows) {
                let part = Array(all[start..<min(start + Self.namedRows, all.count)])
                let batch = try read(root: root, keys: part)
                for row in batch.rows.indices {
                    found[[Int64(root), batch.rows[row].key]] = try object(row: row, in: batch)
                }
            }
        }
        return references.map { reference in
            guard schema.entities.indices.contains(reference.entity) else {
                return object(entity: reference.entity, key: reference.key)
            }
            let root = schema.entities[reference.entity].root
            return found[[Int64(root), reference.key]] ?? object(entity: reference.entity, key: reference.key)
        }
    }

    private func object(entity: Int, key: Int64, values: [AttributeValue] = []) -> ObjectDifference.Object {
        guard schema.entities.indices.contains(entity) else {
            return ObjectDifference.Object(entity: "", id: "p\(key)", key: values)
        }
        return ObjectDifference.Object(
            entity: schema.entities[entity].name, id: schema.objectName(entity: entity, key: key), key: values)
    }
}

extension GranaryError {
    /// The error with a side at the beginning of its message.
    func labelled(_ label: String) -> GranaryError {
        var copy = self
        copy.message = "\(label): \(message)"
        return copy
    }
}
