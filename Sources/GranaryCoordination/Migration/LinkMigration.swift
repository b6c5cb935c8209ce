import GranaryBase
import GranaryModel

/// Writes the links that are not in rows, after all rows are written.
struct LinkMigration {
    private let source: any StoreBackend
    private let mapping: ModelMapping
    private let rows: RowMigration
    /// Nil if nothing is written, because the migration is refused; problems are still found.
    private let writer: (any StoreWriter)?
    private let cancellation: Cancellation?
    /// The relationships whose links were inserted.
    private var inserted: Set<LinkLayout.ID> = []
    private let existing: ExistingObjects

    /// One link of an older relationship whose owner is kept, in the newer version.
    private struct MigratedLink {
        let owner: Int64
        let ownerEntity: Int
        /// Nil if the link is dropped.
        let target: (key: Int64, entity: Int)?
        /// Whether the object at the other end is kept, so that ``HeldLinks`` reports the link if it is dropped.
        let keepsMember: Bool
    }

    /// The number of links that are inserted at once.
    private static let batchLinks = 10_000
    private static let batchRows = 1000

    init(
        _ source: any StoreBackend, _ mapping: ModelMapping, _ rows: RowMigration, writer: (any StoreWriter)?,
        cancellation: Cancellation?
    ) {
        self.source = source
        self.mapping = mapping
        self.rows = rows
        self.writer = writer
        existing = ExistingObjects(source)
        self.cancellation = cancellation
    }

    mutating func run(_ problems: inout MigrationProblems) throws {
        for entity in mapping.new.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent {
                try cancellation?.check()
                try fill(relationship, &problems)
            }
        }
        try HeldLinks(source, mapping, rows, cancellation).check(&problems)
    }

    private mutating func fill(_ relationship: Schema.Relationship, _ problems: inout MigrationProblems) throws {
        switch LinkPlan(of: relationship, mapping) {
        case .none: break
        case .lists(let sources): try writeLists(relationship, sources, &problems)
        case .inverseLists(let sources):
            guard let inverse = LinkSource.newInverse(of: relationship, mapping) else { return }
            try writeLists(inverse, sources, &problems)
        case .firstOfLists(let sources): try setFirst(relationship, sources, &problems)
        case .inverseReferences(let sources):
            guard let inverse = LinkSource.newInverse(of: relationship, mapping) else { return }
            try setFromInverse(relationship, inverse, sources, &problems)
        case .join(let own, let others):
            guard let inverse = LinkSource.newInverse(of: relationship, mapping) else { return }
            try join(relationship, own, inverse, others, &problems)
        case .drop(let sources): try drop(relationship, sources, &problems)
        }
    }

    /// One link, by the keys of its ends.
    private struct Ends: Hashable {
        let owner: Int64
        let member: Int64
    }

    /// Reports the links of a relationship that its inverse does not hold.
    private func drop(
        _ relationship: Schema.Relationship, _ sources: [Schema.Relationship], _ problems: inout MigrationProblems
    ) throws {
        var held: Set<Ends> = []
        if let inverse = LinkSource.newInverse(of: relationship, mapping) {
            for source in LinkSource(of: inverse, mapping).own {
                try forEachLink(of: source, as: inverse) { link in
                    if let target = link.target { held.insert(Ends(owner: target.key, member: link.owner)) }
                }
            }
        }
        for source in sources {
            try forEachLink(of: source, as: relationship) { link in
                if let target = link.target, held.contains(Ends(owner: link.owner, member: target.key)) { return }
                note(link, relationship, &problems)
            }
        }
    }

    // MARK: Lists

    private mutating func writeLists(
        _ relationship: Schema.Relationship, _ sources: [Schema.Relationship], _ problems: inout MigrationProblems
    ) throws {
        let inverse = LinkSource.newInverse(of: relationship, mapping)
        // A member can have one owner only, but may have had several.
        let isExclusive = inverse.map { !$0.isToMany } ?? true
        // The links of the other end are those of this one, so that only their order is missing.
        let isPresent = inverse.map { inserted.contains(LinkLayout.ID($0)) } ?? false
        var taken = KeySet()
        for source in sources {
            let mayRepeat = isExclusive && (sources.count > 1 || canHaveSeveralOwners(source))
            var links: [Link] = []
            var owner: (key: Int64, entity: Int)?
            func write() throws {
                if let owner, !links.isEmpty {
                    if isPresent {
                        try writer?.setLinksOfEach(relationship, links, ownerEntity: owner.entity)
                    } else {
                        try writer?.insertLinks(relationship, links, ownerEntity: owner.entity)
                    }
                }
                links.removeAll(keepingCapacity: true)
            }
            // References to no object stay references, but a join table has no such links.
            let checksEnds = isJoined(relationship) && !(source.isToMany && canHaveSeveralOwners(source))
            try forEachLink(of: source, as: relationship, checksEnds: checksEnds) { link in
                guard let target = link.target, !mayRepeat || taken.insert(target.key) else {
                    note(link, relationship, &problems)
                    return
                }
                if let last = owner,
                    last.entity != link.ownerEntity || links.count >= Self.batchLinks && last.key != link.owner
                {
                    try write()
                }
                owner = (link.owner, link.ownerEntity)
                links.append(Link(owner: link.owner, entity: target.entity, destination: target.key))
            }
            try write()
        }
        inserted.insert(LinkLayout.ID(relationship))
    }

    /// Whether the links are not references in rows of the members that have them already.
    private func isJoined(_ relationship: Schema.Relationship) -> Bool {
        LinkSource.newInverse(of: relationship, mapping)?.isToMany ?? true
    }

    private func canHaveSeveralOwners(_ old: Schema.Relationship) -> Bool {
        guard old.isToMany, let inverse = old.inverse else { return !old.isToMany }
        return mapping.old.entities[inverse.owner].relationships[inverse.relationship].isToMany
    }

    // MARK: References

    /// Sets the reference of a to-one to the first object of the older list.
    private func setFirst(
        _ relationship: Schema.Relationship, _ sources: [Schema.Relationship], _ problems: inout MigrationProblems
    ) throws {
        let inverse = LinkSource.newInverse(of: relationship, mapping).flatMap { $0.isToMany ? nil : $0 }
        let setsInverse = inverse.map { LinkSource(of: $0, mapping).own.isEmpty } ?? false
        var last: Int64?
        var taken = KeySet()
        for source in sources {
            last = nil
            try forEachLink(of: source, as: relationship, checksEnds: true) { link in
                guard let target = link.target, last != link.owner, inverse == nil || taken.insert(target.key) else {
                    note(link, relationship, &problems)
                    if let inverse, let target = link.target, !setsInverse, !taken.contains(target.key) {
                        try writer?.setReference(inverse, owner: target.key, entity: link.ownerEntity, destination: nil)
                    }
                    return
                }
                last = link.owner
                try writer?.setReference(
                    relationship, owner: link.owner, entity: target.entity, destination: target.key)
                if let inverse, setsInverse {
                    try writer?.setReference(
                        inverse, owner: target.key, entity: link.ownerEntity, destination: link.owner)
                }
            }
        }
    }

    /// Sets the reference of a to-one to the first object whose reference, of the inverse, leads to its owner. Other
    /// references to the same owner are dropped.
    private func setFromInverse(
        _ relationship: Schema.Relationship, _ inverse: Schema.Relationship, _ sources: [Schema.Relationship],
        _ problems: inout MigrationProblems
    ) throws {
        var taken = KeySet()
        for source in sources {
            try forEachLink(of: source, as: inverse, checksEnds: true) { link in
                guard let target = link.target else { return }
                guard taken.insert(target.key) else {
                    note(link, inverse, &problems)
                    if !inverse.isToMany {
                        try writer?.setReference(
                            inverse, owner: link.owner, entity: target.entity, destination: nil)
                    }
                    return
                }
                try writer?.setReference(
                    relationship, owner: target.key, entity: link.ownerEntity, destination: link.owner)
            }
        }
    }

    /// Makes one one-to-one of two to-ones that were not each other's inverse. The references of `relationship` stay
    /// where no other leads to the same object; those of the inverse that contradict them are dropped.
    private func join(
        _ relationship: Schema.Relationship, _ own: [Schema.Relationship], _ inverse: Schema.Relationship,
        _ others: [Schema.Relationship], _ problems: inout MigrationProblems
    ) throws {
        // The partners that are decided, in both directions.
        var (partners, owners): ([Int64: Int64], [Int64: Int64]) = ([:], [:])
        for source in own {
            try forEachLink(of: source, as: relationship, checksEnds: true) { link in
                guard let target = link.target else { return }
                guard owners[target.key] == nil else {
                    note(link, relationship, &problems)
                    return try clear(relationship, link, target)
                }
                partners[link.owner] = target.key
                owners[target.key] = link.owner
                try writer?.setReference(
                    inverse, owner: target.key, entity: link.ownerEntity, destination: link.owner)
            }
        }
        for source in others {
            try forEachLink(of: source, as: inverse, checksEnds: true) { link in
                guard let target = link.target else { return }
                if owners[link.owner] == target.key { return }
                guard owners[link.owner] == nil, partners[target.key] == nil else {
                    note(link, inverse, &problems)
                    // A decided partner has replaced the reference.
                    return owners[link.owner] == nil ? try clear(inverse, link, target) : ()
                }
                owners[link.owner] = target.key
                partners[target.key] = link.owner
                try writer?.setReference(
                    relationship, owner: target.key, entity: link.ownerEntity, destination: link.owner)
            }
        }
    }

    private func clear(
        _ relationship: Schema.Relationship, _ link: MigratedLink, _ target: (key: Int64, entity: Int)
    ) throws {
        try writer?.setReference(relationship, owner: link.owner, entity: target.entity, destination: nil)
    }

    // MARK: Reading

    private func note(
        _ link: MigratedLink, _ relationship: Schema.Relationship, _ problems: inout MigrationProblems
    ) {
        if link.target == nil, link.keepsMember { return }
        problems.add(
            .droppedLinks, entity: mapping.new.entities[link.ownerEntity].name, property: relationship.name,
            object: mapping.new.objectName(entity: link.ownerEntity, key: link.owner))
    }

    /// Passes the links of an older relationship whose owners are kept and have it as the source of `relationship`.
    /// The links of one owner follow each other in their order, and the keys of the owners of one entity ascend.
    ///
    /// - Parameter checksEnds: whether links to and from objects that do not exist are left out.
    private func forEachLink(
        of old: Schema.Relationship, as relationship: Schema.Relationship, checksEnds: Bool = false,
        _ body: (MigratedLink) throws -> Void
    ) throws {
        var owners = OwnerEntities(of: old, in: source)
        func pass(_ key: Int64, _ entity: Int, _ member: Int64, _ memberEntity: Int) throws {
            guard rows.keeps(key, entity: entity), let new = mapping.newEntity(of: entity),
                let sources = mapping.entities[entity]?.relationship(at: relationship.slot),
                LinkLayout.ID(sources) == LinkLayout.ID(old)
            else { return }
            if checksEnds {
                guard try existing.contains(key, entity: entity), try existing.contains(member, entity: memberEntity)
                else { return }
            }
            try body(
                MigratedLink(
                    owner: try rows.newKey(key, entity: entity), ownerEntity: new,
                    target: try rows.newObject(member, entity: memberEntity, of: relationship),
                    keepsMember: rows.keeps(member, entity: memberEntity)))
        }
        guard old.isToMany else {
            return try forEachReference(of: old, pass)
        }
        try source.readLinks(of: old, owners: nil) { link in
            let entity = try owners.entity(of: link.owner) ?? old.owner
            try pass(link.owner, entity, link.destination, link.entity)
        }
    }

    private func forEachReference(
        of old: Schema.Relationship, _ body: (Int64, Int, Int64, Int) throws -> Void
    ) throws {
        try source.read(entities: mapping.old.entities[old.owner].family, batchSize: Self.batchRows) { batch in
            for row in batch.rows.indices {
                guard case .reference(let key, let entity) = batch[row, old.slot] else { continue }
                try body(batch.rows[row].key, Int(batch.rows[row].entity), key, Int(entity))
            }
            return true
        }
    }
}
