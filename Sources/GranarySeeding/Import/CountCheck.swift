import GranaryBase
import GranaryModel
import GranaryPersistence

/// Checks how many objects the to-many relationships have, once all links are set: Core Data's 1580 and 1590.
struct CountCheck {
    let schema: Schema
    let store: any PersistentStore
    let target: Schema.Entity?

    /// Only relationships that have a bound cost anything; objects that the import did not touch are checked with the
    /// rest, since it may have changed how many objects they have.
    func run(_ session: ImportSession) throws {
        var rejected: Set<ReferenceTable.RowID> = []
        for entity in schema.entities where !entity.isAbstract {
            for relationship in entity.relationships where isBounded(relationship) {
                try check(relationship, of: entity, session, &rejected)
            }
        }
        session.reject(rows: rejected.count)
    }

    private func isBounded(_ relationship: Schema.Relationship) -> Bool {
        let description = relationship.description
        guard relationship.isToMany, relationship.isPersistent else { return false }
        return !description.isOptional || description.minCount > 1 || description.maxCount > 1
    }

    private func check(
        _ relationship: Schema.Relationship, of entity: Schema.Entity, _ session: ImportSession,
        _ rejected: inout Set<ReferenceTable.RowID>
    ) throws {
        var counts: [Int64: Int] = [:]
        try store.readLinks(of: relationship, owners: nil) { counts[$0.owner, default: 0] += 1 }
        try store.read(entities: entity.index..<entity.index + 1, batchSize: 1000) { batch in
            for row in batch.rows where row.entity == Int32(entity.index) {
                let violations = relationship.violations(ofCount: counts[row.key] ?? 0)
                for violation in violations {
                    session.add(
                        Diagnostic(
                            violation.code, "\(entity.name)/p\(row.key): \(violation.message)", entity: entity.name,
                            property: relationship.name, coreDataCode: violation.coreDataCode))
                }
                // An object that the store had before is no row of this import.
                if !violations.isEmpty, session.keysGiven.isOurs(root: entity.root, key: row.key) {
                    rejected.insert(.init(root: entity.root, key: row.key))
                }
            }
            return true
        }
    }
}
