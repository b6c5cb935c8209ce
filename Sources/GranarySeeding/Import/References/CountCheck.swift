import GranaryBase
import GranaryModel
import GranaryPersistence

/// Checks how many objects the to-many relationships have, once all links are set: Core Data's 1580 and 1590.
struct CountCheck {
    let schema: Schema
    let store: any PersistentStore

    /// Only relationships that have a bound cost anything; objects that the import did not touch are checked with the
    /// rest, since it may have changed how many objects they have.
    ///
    /// - Parameter broken: takes every object that breaks a bound, and what it breaks.
    func run(_ broken: (RowID, Schema.Entity, Schema.Relationship, Violation) -> Void) throws {
        for entity in schema.entities where !entity.isAbstract {
            for relationship in entity.relationships
            where relationship.isToMany && relationship.isPersistent && relationship.hasCountRule {
                try check(relationship, of: entity, broken)
            }
        }
    }

    private func check(
        _ relationship: Schema.Relationship, of entity: Schema.Entity,
        _ broken: (RowID, Schema.Entity, Schema.Relationship, Violation) -> Void
    ) throws {
        var counts: [Int64: Int] = [:]
        try store.readLinks(of: relationship, owners: nil) { counts[$0.owner, default: 0] += 1 }
        try store.read(entities: entity.index..<entity.index + 1, batchSize: 1000) { batch in
            for row in batch.rows where row.entity == Int32(entity.index) {
                for violation in relationship.violations(ofCount: counts[row.key] ?? 0) {
                    broken(RowID(root: entity.root, key: row.key), entity, relationship, violation)
                }
            }
            return true
        }
    }
}
