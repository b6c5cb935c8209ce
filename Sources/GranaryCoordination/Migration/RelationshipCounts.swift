import GranaryBase
import GranaryModel

/// Finds the objects that have too few or too many related objects in the newer version, where its rule is stricter
/// than the older one.
struct RelationshipCounts {
    let source: any StoreBackend
    let mapping: ModelMapping
    let rows: RowMigration
    let cancellation: Cancellation?

    private static let batchRows = 1000

    func check(_ problems: inout MigrationProblems) throws {
        for entity in mapping.new.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent && relationship.isToMany
                && relationship.hasCountRule
            {
                for old in mapping.origins(of: relationship) {
                    let origin = mapping.entities[old]?.relationship(at: relationship.slot)
                    guard isStricter(relationship, than: origin) else { continue }
                    try cancellation?.check()
                    try check(relationship, origin, of: old, &problems)
                }
            }
        }
    }

    private func isStricter(_ relationship: Schema.Relationship, than old: Schema.Relationship?) -> Bool {
        guard let old, old.isToMany else { return true }
        let (now, before) = (relationship.description, old.description)
        func bound(_ count: Int) -> Int { count > 0 ? count : .max }
        return now.minCount > before.minCount || bound(now.maxCount) < bound(before.maxCount)
            || before.isOptional && !now.isOptional
    }

    private func check(
        _ relationship: Schema.Relationship, _ origin: Schema.Relationship?, of old: Int,
        _ problems: inout MigrationProblems
    ) throws {
        var counts: [Int64: Int] = [:]
        if let origin, origin.isToMany {
            try source.readLinks(of: origin, owners: nil) { link in
                guard try rows.newObject(link.destination, entity: link.entity, of: relationship) != nil else { return }
                counts[link.owner, default: 0] += 1
            }
        }
        try source.read(entities: old..<old + 1, batchSize: Self.batchRows) { batch in
            for row in batch.rows.indices {
                let key = batch.rows[row].key
                guard rows.keeps(key, entity: old), let new = mapping.newEntity(of: old) else { continue }
                var count = counts[key] ?? 0
                if let origin, !origin.isToMany, batch[row, origin.slot] != .null { count = 1 }
                for violation in relationship.violations(ofCount: count) {
                    problems.add(
                        violation.code == .relationshipTooMany ? .tooMany : .tooFew,
                        entity: mapping.new.entities[new].name, property: relationship.name,
                        object: mapping.new.objectName(entity: new, key: key &+ rows.keyOffsets[old]))
                }
            }
            return true
        }
    }
}
