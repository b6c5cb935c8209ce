import GranaryCoordination
import GranaryModel

/// The stored objects that belong to one other object: those to which its to-one relationship refers, and nothing else.
/// A nested object without a key is the object that belongs to its parent.
struct OwnedObjects {
    struct Object {
        let entity: Int32
        let key: Int64
    }

    private var objects: [LinkOwners.Relation: [Int64: Object]] = [:]
    /// The objects that records of this import have changed.
    private var claimed: Set<RowID> = []

    init() {}

    /// Reads the objects from a store.
    init(of relationships: [Schema.Relationship], _ schema: Schema, _ store: any StoreBackend) throws {
        var shared: [Int: Set<Int64>] = [:]
        for relationship in relationships where objects[LinkOwners.Relation(relationship)] == nil {
            let root = schema.entities[relationship.destination].root
            var found: [Int64: Object] = [:]
            let isEmpty = try schema.entities[relationship.destination].family.allSatisfy {
                try store.count(entity: $0) == 0
            }
            if !isEmpty { try Self.readToOnes(relationship, schema, store) { found[$0] = $1 } }
            // Only one object refers to the other end of a one-to-one relationship.
            if !found.isEmpty, !schema.isOneToOne(relationship) {
                if shared[root] == nil { shared[root] = try Self.shared(root, schema, store) }
                found = found.filter { !(shared[root]?.contains($0.value.key) ?? false) }
            }
            objects[LinkOwners.Relation(relationship)] = found
        }
    }

    /// The keys of the objects of a hierarchy to which several objects or relationships refer.
    private static func shared(_ root: Int, _ schema: Schema, _ store: any StoreBackend) throws -> Set<Int64> {
        var seen: Set<Int64> = []
        var shared: Set<Int64> = []
        func note(_ key: Int64) { if !seen.insert(key).inserted { shared.insert(key) } }
        // Subentities inherit relationships.
        var relations: Set<LinkOwners.Relation> = []
        for relationship in schema.entities.flatMap(\.relationships)
        where relationship.isPersistent && schema.entities[relationship.destination].root == root
            && relations.insert(LinkOwners.Relation(relationship)).inserted
        {
            if relationship.isToMany {
                try store.readLinks(of: relationship, owners: nil) { note($0.destination) }
            } else {
                try readToOnes(relationship, schema, store) { note($1.key) }
            }
        }
        return shared
    }

    private static func readToOnes(
        _ relationship: Schema.Relationship, _ schema: Schema, _ store: any StoreBackend,
        _ body: (_ owner: Int64, Object) -> Void
    ) throws {
        try store.read(entities: schema.entities[relationship.owner].family, batchSize: 1000) { batch in
            for row in batch.rows.indices {
                guard case .reference(let key, let entity) = batch[row, relationship.slot] else { continue }
                body(batch.rows[row].key, Object(entity: entity, key: key))
            }
            return true
        }
    }

    /// The object that belongs to another one.
    func object(of owner: Int64, _ relationship: Schema.Relationship) -> Object? {
        objects[LinkOwners.Relation(relationship)]?[owner]
    }

    /// Notes that a record changes an object; false if another one does so too.
    mutating func claim(_ row: RowID) -> Bool { claimed.insert(row).inserted }
}
