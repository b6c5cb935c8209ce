import GranaryBase
import GranaryModel

/// Finds the objects that have too few or too many related objects in the newer version, where its rule is stricter
/// than the older one, or where links of duplicates were added to them. To-ones that are in the rows are checked with the rows.
struct RelationshipCounts {
    let source: any StoreBackend
    let mapping: ModelMapping
    let rows: RowMigration
    /// The objects whose links are not those in the store, by older relationship.
    let changed: [LinkLayout.ID: KeySet]
    let cancellation: Cancellation?

    private static let batchRows = 1000

    func check(_ problems: inout MigrationProblems) throws {
        for entity in mapping.new.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent && relationship.hasCountRule {
                let links = LinkSource(of: relationship, mapping)
                guard relationship.isToMany || links.isFilledLater else { continue }
                for old in mapping.origins(of: relationship) {
                    let origin = mapping.entities[old]?.relationship(at: relationship.slot)
                    let isStricter = isStricter(relationship, than: origin)
                    let changed = origin.flatMap { self.changed[LinkLayout.ID($0)] }
                    guard isStricter || changed != nil else { continue }
                    try cancellation?.check()
                    let counts = try counts(of: relationship, origin.map { [$0] } ?? [], links.inverse)
                    try check(relationship, counts, of: old, isStricter ? nil : changed, &problems)
                }
            }
        }
    }

    private func isStricter(_ relationship: Schema.Relationship, than old: Schema.Relationship?) -> Bool {
        guard let old, old.isToMany == relationship.isToMany else { return true }
        let (now, before) = (relationship.description, old.description)
        func bound(_ count: Int) -> Int { count > 0 ? count : .max }
        return now.minCount > before.minCount || bound(now.maxCount) < bound(before.maxCount)
            || before.isOptional && !now.isOptional
    }

    /// The number of related objects by the older keys of the owners, from their own older relationship or, if there is
    /// none, from the older relationships of the inverse.
    private func counts(
        of relationship: Schema.Relationship, _ own: [Schema.Relationship], _ inverse: [Schema.Relationship]
    ) throws -> [Int64: Int] {
        var counts: [Int64: Int] = [:]
        for origin in own {
            try forEachLink(of: origin) { owner, member, memberEntity in
                guard try rows.newObject(member, entity: memberEntity, of: relationship) != nil else { return }
                counts[owner, default: 0] += 1
            }
        }
        guard own.isEmpty else { return counts }
        for origin in inverse {
            try forEachLink(of: origin) { _, member, _ in counts[member, default: 0] += 1 }
        }
        return counts
    }

    private func forEachLink(
        of relationship: Schema.Relationship,
        _ body: (_ owner: Int64, _ member: Int64, _ memberEntity: Int) throws -> Void
    ) throws {
        guard relationship.isToMany else {
            let family = mapping.old.entities[relationship.owner].family
            return try source.read(entities: family, batchSize: Self.batchRows) { batch in
                for row in batch.rows.indices {
                    guard case .reference(let key, let entity) = batch[row, relationship.slot] else { continue }
                    guard rows.keeps(batch.rows[row].key, entity: Int(batch.rows[row].entity)) else { continue }
                    try body(batch.rows[row].key, key, Int(entity))
                }
                return true
            }
        }
        try source.readLinks(of: relationship, owners: nil) { try body($0.owner, $0.destination, $0.entity) }
    }

    private func check(
        _ relationship: Schema.Relationship, _ counts: [Int64: Int], of old: Int, _ chosen: KeySet?,
        _ problems: inout MigrationProblems
    ) throws {
        try source.read(entities: old..<old + 1, batchSize: Self.batchRows) { batch in
            for row in batch.rows.indices {
                let key = batch.rows[row].key
                guard rows.keeps(key, entity: old), chosen?.contains(key) ?? true,
                    let new = mapping.newEntity(of: old)
                else { continue }
                let count = counts[key] ?? 0
                // Of several objects one stays, which is reported as dropped links.
                for violation in relationship.violations(ofCount: relationship.isToMany ? count : min(count, 1)) {
                    problems.add(
                        kind(of: violation), entity: mapping.new.entities[new].name, property: relationship.name,
                        object: mapping.new.objectName(entity: new, key: key &+ rows.keyOffsets[old]))
                }
            }
            return true
        }
    }

    private func kind(of violation: Violation) -> MigrationProblem.Kind {
        switch violation.code {
        case .relationshipTooMany: .tooMany
        case .valueMissing: .missingObject
        default: .tooFew
        }
    }
}
