import GranaryModel
import GranaryPersistence

/// References that an import has set as it read them. They are in the store only, and looked for there when a record
/// that was read well is refused: one reading of the entities that may refer to it, whatever the number of records.
struct EarlyReferences {
    struct Reference {
        let owner: RowID
        let entity: Int
        let property: String
        /// The record that has the reference; nil for one that this import cannot refuse any more.
        let place: RecordPlace?
    }

    private let schema: Schema
    private let store: any PersistentStore
    private let places: RowPlaces
    /// Where a row of the import, or one that it changes, comes from.
    private let changed: BeforeImages
    private var found: [RowID: [Reference]] = [:]
    private var readEntities: Set<Int> = []
    private var hasReadChanges = false

    init(schema: Schema, store: any PersistentStore, places: RowPlaces, changed: BeforeImages) {
        self.schema = schema
        self.store = store
        self.places = places
        self.changed = changed
    }

    mutating func references(to row: RowID) throws -> [Reference] {
        // Any entity of the row's hierarchy that a to-one can mean: all its referrers are read once.
        for entity in schema.entities where !entity.isAbstract && !readEntities.contains(entity.index) {
            let relationships = entity.relationships.filter {
                !$0.isToMany && $0.isPersistent && schema.entities[$0.destination].root == row.root
            }
            guard !relationships.isEmpty else { continue }
            readEntities.insert(entity.index)
            try read(entity)
        }
        if !hasReadChanges { readChanges() }
        return found[row] ?? []
    }

    /// What records have set of rows that were there before, whatever became of it.
    private mutating func readChanges() {
        hasReadChanges = true
        changed.forEachReference { owner, slot, key, place in
            for entity in schema.entities where entity.root == owner.root {
                guard let relationship = entity.relationships.first(where: { $0.slot == slot }) else { continue }
                let target = RowID(root: schema.entities[relationship.destination].root, key: key)
                guard target != owner, places[target] != nil else { return }
                found[target, default: []].append(
                    Reference(owner: owner, entity: entity.index, property: relationship.name, place: place))
                return
            }
        }
    }

    private mutating func read(_ entity: Schema.Entity) throws {
        let relationships = entity.relationships.filter { !$0.isToMany && $0.isPersistent }
        try store.read(entities: entity.index..<entity.index + 1, batchSize: 1000) { batch in
            for row in batch.rows.indices where batch.rows[row].entity == Int32(entity.index) {
                let owner = RowID(root: entity.root, key: batch.rows[row].key)
                guard let place = recordPlace(owner) else { continue }
                for relationship in relationships {
                    // A later record may have set another one.
                    let cell =
                        changed.firstReference(of: owner, slot: relationship.slot) ?? batch[row, relationship.slot]
                    guard case .reference(_, let key) = cell else { continue }
                    let target = RowID(root: schema.entities[relationship.destination].root, key: key)
                    guard target != owner, places[target] != nil else { continue }
                    found[target, default: []].append(
                        Reference(owner: owner, entity: entity.index, property: relationship.name, place: place))
                }
            }
            return true
        }
    }

    private func recordPlace(_ row: RowID) -> RecordPlace? {
        places[row].map {
            RecordPlace(file: $0.file, line: $0.line, column: 1, byteOffset: -1, record: $0.record)
        }
    }
}
