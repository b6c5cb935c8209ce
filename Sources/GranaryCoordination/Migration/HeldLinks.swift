import GranaryBase
import GranaryModel

/// Finds the links of kept objects that no relationship of the newer version holds: their relationship was removed, or
/// the concrete entity of an object does not have it any more, or it leads to other entities.
struct HeldLinks {
    private let source: any StoreBackend
    private let mapping: ModelMapping
    private let rows: RowMigration
    private let cancellation: Cancellation?

    private static let batchRows = 1000

    init(
        _ source: any StoreBackend, _ mapping: ModelMapping, _ rows: RowMigration, _ cancellation: Cancellation?
    ) {
        self.source = source
        self.mapping = mapping
        self.rows = rows
        self.cancellation = cancellation
    }

    func check(_ problems: inout MigrationProblems) throws {
        for entity in mapping.old.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent && isRead(relationship) {
                try cancellation?.check()
                try check(relationship, &problems)
            }
        }
    }

    /// Whether the links are read from this end: from the to-one if there is one, whose references are in rows.
    private func isRead(_ relationship: Schema.Relationship) -> Bool {
        guard let inverse = LinkLayout(relationship, schema: mapping.old).inverse else { return true }
        if relationship.isToMany != inverse.isToMany { return !relationship.isToMany }
        let id = LinkLayout.ID(relationship)
        return (id.owner, id.slot) <= (inverse.id.owner, inverse.id.slot)
    }

    private func check(_ relationship: Schema.Relationship, _ problems: inout MigrationProblems) throws {
        let inverse = LinkLayout(relationship, schema: mapping.old).inverse?.relationship
        // Most relationships are held for all entities, so that no link needs to be read.
        var lost: Set<Pair> = []
        for owner in mapping.old.entities[relationship.owner].family where mapping.newEntity(of: owner) != nil {
            for member in mapping.old.entities[relationship.destination].family
            where mapping.newEntity(of: member) != nil {
                if !holds(relationship, owner, member), inverse.map({ !holds($0, member, owner) }) ?? true {
                    lost.insert(Pair(owner: owner, member: member))
                }
            }
        }
        guard !lost.isEmpty else { return }
        var owners = OwnerEntities(of: relationship, in: source)
        func note(_ key: Int64, _ owner: Int, _ member: Int64, _ memberEntity: Int) {
            guard lost.contains(Pair(owner: owner, member: memberEntity)), rows.keeps(key, entity: owner),
                rows.keeps(member, entity: memberEntity), let new = mapping.newEntity(of: owner)
            else { return }
            problems.add(
                .droppedLinks, entity: mapping.new.entities[new].name, property: relationship.name,
                object: mapping.old.objectName(entity: owner, key: key))
        }
        // Links of such a relationship are stored in both directions.
        let isOwnInverse = LinkLayout(relationship, schema: mapping.old).isOwnInverse
        guard relationship.isToMany else {
            try source.read(
                entities: mapping.old.entities[relationship.owner].family, batchSize: Self.batchRows
            ) { batch in
                for row in batch.rows.indices {
                    guard case .reference(let key, let entity) = batch[row, relationship.slot],
                        !isOwnInverse || key >= batch.rows[row].key
                    else { continue }
                    note(batch.rows[row].key, Int(batch.rows[row].entity), key, Int(entity))
                }
                return true
            }
            return
        }
        try source.readLinks(of: relationship, owners: nil) { link in
            if isOwnInverse, link.destination < link.owner { return }
            let entity = try owners.entity(of: link.owner) ?? relationship.owner
            note(link.owner, entity, link.destination, link.entity)
        }
    }

    /// The concrete older entities of a link.
    private struct Pair: Hashable {
        let owner: Int
        let member: Int
    }

    /// Whether objects of an older entity have a relationship that continues an older one and can lead to objects of
    /// another older entity.
    private func holds(_ old: Schema.Relationship, _ owner: Int, _ member: Int) -> Bool {
        guard let sources = mapping.entities[owner], let new = mapping.newEntity(of: owner),
            let target = mapping.newEntity(of: member)
        else { return false }
        return mapping.new.entities[new].relationships.contains { relationship in
            guard let source = sources.relationship(at: relationship.slot) else { return false }
            return LinkLayout.ID(source) == LinkLayout.ID(old)
                && mapping.new.entity(target, isKindOf: relationship.destination)
        }
    }
}
