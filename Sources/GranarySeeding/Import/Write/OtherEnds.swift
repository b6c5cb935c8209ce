import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// The stored objects at the other ends of the links that an import changes. Both ends of a changed link count as
/// changed, as in a context's save: their versions go up too, once.
struct OtherEnds {
    private let schema: Schema
    /// For each root entity, the highest primary key allocated before this import; larger keys are new.
    private let lastKeys: [Int: Int64]
    /// By entity its to-ones that have another end.
    private let references: [[Schema.Relationship]]
    private let areEnds: [Bool]
    private var changes: Set<RowID> = []

    init(schema: Schema, lastKeys: [Int: Int64]) {
        self.schema = schema
        self.lastKeys = lastKeys
        references = schema.entities.map { entity in
            entity.relationships.filter { !$0.isToMany && Self.hasOtherEnd($0, schema) }
        }
        areEnds = schema.entities.map { entity in
            entity.relationships.contains { Self.hasOtherEnd($0, schema) }
        }
    }

    private static func hasOtherEnd(_ relationship: Schema.Relationship, _ schema: Schema) -> Bool {
        guard relationship.isPersistent, let inverse = relationship.inverse else { return false }
        return schema.entities[inverse.owner].relationships[inverse.relationship].isPersistent
    }

    /// Whether objects of the entity may be at the other end of a link.
    func mayHold(entity: Int) -> Bool { areEnds[entity] }

    /// A link to an object was made or removed.
    mutating func note(_ relationship: Schema.Relationship, _ object: Int64) {
        guard Self.hasOtherEnd(relationship, schema) else { return }
        note(RowID(root: schema.entities[relationship.destination].root, key: object))
    }

    /// A row with all its to-ones was inserted.
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

    /// The objects whose links are not what they were, by root entity.
    var changed: [(root: Int, keys: [Int64])] {
        Dictionary(grouping: changes, by: \.root)
            .map { (root: $0.key, keys: $0.value.map(\.key).sorted()) }
            .sorted { $0.root < $1.root }
    }
}
