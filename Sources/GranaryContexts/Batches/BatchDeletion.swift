import GranaryBase
import GranaryCoordination
import GranaryModel

/// Deletes the rows of a batch request by the delete rules of the model.
struct BatchDeletion {
    private struct Place: Hashable {
        let root: Int
        let key: Int64
    }

    private struct HeldLink {
        let owner: Place
        let link: LinkLayout
        let destination: Place
    }

    private let run: BatchRun
    private let schema: Schema
    /// The objects to delete, and their entities.
    private var deleted: [Place: Int] = [:]
    /// The objects whose relationships were not read yet.
    private var open: [Place] = []
    private var known: Set<Place> = []
    /// The links of the objects to delete.
    private var links: [HeldLink] = []
    private var failures = DiagnosticCollector()
    /// The entities of the objects that stay at the other ends.
    private var destinations: [Place: Int] = [:]
    /// The objects that lose a link, and their entities.
    private var changed: [Place: Int] = [:]

    init(_ run: BatchRun) {
        self.run = run
        schema = run.schema
    }

    mutating func execute(_ keys: [(entity: Int, key: Int64)]) throws -> BatchResult {
        for key in keys { add(Place(root: schema.entities[key.entity].root, key: key.key)) }
        // A list instead of recursion, because a cascade can be as long as the data.
        while !open.isEmpty { try follow() }
        let staying = try stayingLinks()
        checkRules(staying)
        let referrers = try findReferrers()
        try failures.throwIfAnyError("the objects cannot be deleted")
        try unlink(staying)
        for (relationship, owner) in referrers {
            try run.writer.setReference(
                relationship, owner: owner.key, entity: relationship.destination, destination: nil)
        }
        let byEntity = Dictionary(grouping: deleted.keys, by: { deleted[$0] ?? 0 })
        for (entity, places) in byEntity.sorted(by: { $0.key < $1.key }) {
            try run.writer.delete(entity: entity, keys: places.map(\.key).sorted())
        }
        for (root, places) in Dictionary(grouping: changed.keys, by: \.root).sorted(by: { $0.key < $1.key }) {
            try run.writer.raiseVersions(root: root, keys: places.map(\.key).sorted())
        }
        try checkCounts(staying)
        try failures.throwIfAnyError("the objects cannot be deleted")
        return result(keys)
    }

    private func result(_ keys: [(entity: Int, key: Int64)]) -> BatchResult {
        var result = BatchResult()
        result.count = keys.count
        guard run.returnsIDs else { return result }
        result.objectIDs = keys.map { run.id($0.entity, $0.key) }
        result.changes.deleted = Set(deleted.map { run.id($0.value, $0.key.key) })
        result.changes.updated = Set(changed.map { run.id($0.value, $0.key.key) })
        return result
    }

    // MARK: - What is deleted

    private mutating func add(_ place: Place) {
        if known.insert(place).inserted { open.append(place) }
    }

    /// Reads some of the objects and their links.
    private mutating func follow() throws {
        guard let root = open.last?.root else { return }
        var keys: [Int64] = []
        while let next = open.last, next.root == root, keys.count < BatchRun.batchRows {
            keys.append(next.key)
            open.removeLast()
        }
        let stored = try run.store.read(root: root, keys: keys)
        let rowsByEntity = Dictionary(grouping: stored.rows.indices, by: { Int(stored.rows[$0].entity) })
        for (entity, rows) in rowsByEntity.sorted(by: { $0.key < $1.key }) {
            for row in rows { deleted[Place(root: root, key: stored.rows[row].key)] = entity }
            for relationship in schema.entities[entity].relationships where relationship.isPersistent {
                let link = LinkLayout(relationship, schema: schema)
                let other = schema.entities[relationship.destination].root
                if relationship.isToMany {
                    var members: [Link] = []
                    try run.store.readLinks(of: relationship, owners: rows.map { stored.rows[$0].key }) {
                        members.append($0)
                    }
                    for member in members {
                        note(
                            HeldLink(
                                owner: Place(root: root, key: member.owner), link: link,
                                destination: Place(root: other, key: member.destination)))
                    }
                } else {
                    for row in rows {
                        guard case .reference(let key, _) = stored[row, relationship.slot] else { continue }
                        note(
                            HeldLink(
                                owner: Place(root: root, key: stored.rows[row].key), link: link,
                                destination: Place(root: other, key: key)))
                    }
                }
            }
        }
    }

    private mutating func note(_ held: HeldLink) {
        if held.link.relationship.description.deleteRule == .cascade { add(held.destination) }
        links.append(held)
    }

    // MARK: - What stays

    /// The links that lead to existing objects that are not deleted. Their entities are noted.
    private mutating func stayingLinks() throws -> [HeldLink] {
        let staying = links.filter { deleted[$0.destination] == nil }
        var entities: [Place: Int] = [:]
        for (root, links) in Dictionary(grouping: staying, by: \.destination.root) {
            let keys = Set(links.map(\.destination.key)).sorted()
            for start in stride(from: 0, to: keys.count, by: BatchRun.batchRows) {
                let part = Array(keys[start..<min(start + BatchRun.batchRows, keys.count)])
                for row in try run.store.read(root: root, keys: part).rows {
                    entities[Place(root: root, key: row.key)] = Int(row.entity)
                }
            }
        }
        destinations = entities
        return staying.filter { entities[$0.destination] != nil }
    }

    private mutating func checkRules(_ staying: [HeldLink]) {
        for held in staying {
            let entity = schema.entities[deleted[held.owner] ?? held.link.relationship.owner]
            if held.link.relationship.description.deleteRule == .deny {
                let violation = Violation(
                    .relationshipDenied, "cannot be deleted: it has objects that are not deleted")
                failures.add(run.diagnostic(violation, entity, held.link.name, nil, key: held.owner.key))
            } else if let inverse = held.link.inverse, !inverse.isToMany {
                require(inverse.relationship, held.destination)
            }
        }
    }

    /// Notes the rule that an object breaks when its to-one relationship becomes empty.
    private mutating func require(_ relationship: Schema.Relationship, _ place: Place) {
        let entity = schema.entities[destinations[place] ?? relationship.owner]
        for violation in relationship.violations(ofCount: 0) {
            failures.add(run.diagnostic(violation, entity, relationship.name, nil, key: place.key))
        }
    }

    /// Finds references without an inverse to deleted objects.
    private mutating func findReferrers() throws -> [(Schema.Relationship, Place)] {
        let roots = Set(deleted.keys.map(\.root))
        var found: [(relationship: Schema.Relationship, owner: Place)] = []
        for entity in schema.entities where !entity.isAbstract {
            let relationships = entity.relationships.filter { [schema] relationship in
                !relationship.isToMany && relationship.isPersistent && relationship.inverse == nil
                    && roots.contains(schema.entities[relationship.destination].root)
            }
            guard !relationships.isEmpty else { continue }
            let (root, index) = (entity.root, Int32(entity.index))
            let (deleted, schema) = (deleted, schema)
            try run.store.read(entities: entity.index..<entity.index + 1, batchSize: 1000) { batch in
                for row in batch.rows.indices where batch.rows[row].entity == index {
                    let owner = Place(root: root, key: batch.rows[row].key)
                    guard deleted[owner] == nil else { continue }
                    for relationship in relationships {
                        guard case .reference(let key, _) = batch[row, relationship.slot],
                            deleted[Place(root: schema.entities[relationship.destination].root, key: key)] != nil
                        else { continue }
                        found.append((relationship, owner))
                    }
                }
                return true
            }
            for (_, owner) in found where destinations[owner] == nil { destinations[owner] = entity.index }
        }
        for (relationship, owner) in found {
            require(relationship, owner)
            changed[owner] = destinations[owner]
        }
        return found.map { ($0.relationship, $0.owner) }
    }

    private mutating func unlink(_ staying: [HeldLink]) throws {
        struct Emptied: Hashable {
            let owner: Place
            let slot: Int
        }
        var emptied: Set<Emptied> = []
        for held in staying {
            guard let inverse = held.link.inverse, let entity = deleted[held.owner] else { continue }
            // A to-many that mirrors a reference has nothing of its own to store.
            if held.link.isToMany || !inverse.isToMany { changed[held.destination] = destinations[held.destination] }
            guard !inverse.isToMany else { continue }
            if held.link.isToMany {
                guard emptied.insert(Emptied(owner: held.owner, slot: held.link.slot)).inserted else { continue }
                try run.writer.setLinks(held.link.relationship, owner: held.owner.key, ownerEntity: entity, to: [])
            } else {
                try run.writer.setReference(
                    inverse.relationship, owner: held.destination.key, entity: entity, destination: nil)
            }
        }
    }

    /// Checks that the to-many relationships of the objects that stay have as many objects as they need.
    private mutating func checkCounts(_ staying: [HeldLink]) throws {
        var owners: [LinkLayout.ID: (relationship: Schema.Relationship, keys: Set<Int64>)] = [:]
        for held in staying {
            guard let inverse = held.link.inverse, inverse.isToMany, inverse.relationship.hasCountRule else { continue }
            owners[inverse.id, default: (inverse.relationship, [])].keys.insert(held.destination.key)
        }
        for (_, entry) in owners {
            let keys = entry.keys.sorted()
            var counts: [Int64: Int] = [:]
            for start in stride(from: 0, to: keys.count, by: BatchRun.batchRows) {
                let part = Array(keys[start..<min(start + BatchRun.batchRows, keys.count)])
                try run.store.readLinks(of: entry.relationship, owners: part) { counts[$0.owner, default: 0] += 1 }
            }
            let root = schema.entities[entry.relationship.owner].root
            for key in keys {
                let entity = schema.entities[destinations[Place(root: root, key: key)] ?? entry.relationship.owner]
                for violation in entry.relationship.violations(ofCount: counts[key] ?? 0) {
                    failures.add(run.diagnostic(violation, entity, entry.relationship.name, nil, key: key))
                }
            }
        }
    }
}
