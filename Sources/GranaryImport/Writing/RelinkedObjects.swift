import GranaryCoordination
import GranaryModel

/// The stored objects at the destinations of links that an import changes. As in a context's save, both ends of a
/// changed link count as changed, so their versions are raised once.
struct RelinkedObjects {
    private let schema: Schema
    /// For each root entity, the highest primary key allocated before this import; larger keys are new.
    private let lastKeys: [Int: Int64]
    /// For each entity, its to-one relationships with an inverse.
    private let references: [[Schema.Relationship]]
    /// For each entity, whether it has a relationship with an inverse.
    private let haveInverses: [Bool]
    private var changes: Set<RowID> = []

    init(schema: Schema, lastKeys: [Int: Int64]) {
        self.schema = schema
        self.lastKeys = lastKeys
        references = schema.entities.map { entity in
            entity.relationships.filter { !$0.isToMany && Self.hasInverse($0, schema) }
        }
        haveInverses = schema.entities.map { entity in
            entity.relationships.contains { Self.hasInverse($0, schema) }
        }
    }

    private static func hasInverse(_ relationship: Schema.Relationship, _ schema: Schema) -> Bool {
        relationship.isPersistent && schema.inverse(of: relationship)?.isPersistent == true
    }

    /// Whether objects of the entity can be at the destination of a link.
    func canBeRelinked(entity: Int) -> Bool { haveInverses[entity] }

    /// Notes that a link to an object was added or removed.
    mutating func note(_ relationship: Schema.Relationship, _ object: Int64) {
        guard Self.hasInverse(relationship, schema) else { return }
        note(RowID(root: schema.entities[relationship.destination].root, key: object))
    }

    /// Notes the links of an inserted row.
    mutating func note(_ row: Int, of batch: borrowing RowBatch) {
        for relationship in references[Int(batch.rows[row].entity)] {
            guard case .reference(let key, _) = batch[row, relationship.slot] else { continue }
            note(RowID(root: schema.entities[relationship.destination].root, key: key))
        }
    }

    private mutating func note(_ row: RowID) {
        if isStored(row) { changes.insert(row) }
    }

    /// Whether the store had the object before this import.
    func isStored(_ row: RowID) -> Bool { row.key <= lastKeys[row.root] ?? 0 }

    /// The objects with changed links, by root entity.
    var changed: [(root: Int, keys: [Int64])] {
        Dictionary(grouping: changes, by: \.root)
            .map { (root: $0.key, keys: $0.value.map(\.key).sorted()) }
            .sorted { $0.root < $1.root }
    }
}
