import GranaryBase
import GranaryCoordination
import GranaryModel

/// Deletes objects that no row mentions, by the delete rules of their relationships.
struct Pruner {
    private let schema: Schema
    private let store: any StoreBackend
    private let rows: RowWriter
    private let written: ImportWriter
    private let read: ReadImport
    /// The number of objects whose natural keys are kept for messages and the report.
    private let nameLimit: Int
    /// The objects to delete, and their entities; -1 while the entity is unknown.
    private(set) var deleted: [RowID: Int] = [:]
    /// The objects whose relationships are not read yet.
    private var open: [RowID] = []
    /// The links of the objects to delete.
    private var links: [(owner: RowID, relationship: Schema.Relationship, destination: RowID)] = []
    private(set) var problems: [Diagnostic] = []
    /// The natural keys of the first objects that pruning deletes, for messages and the report.
    private var names: [RowID: String] = [:]

    init(_ written: ImportWriter, nameLimit: Int) {
        self.written = written
        self.nameLimit = nameLimit
        rows = written.rows
        read = written.resolved.read
        schema = read.schema
        store = rows.store
    }

    /// The natural key of an object to delete, as far as it is known, or its ID.
    func name(of row: RowID) -> String { names[row] ?? "p\(row.key)" }

    /// Adds objects to delete.
    mutating func add(_ keys: [Int64], entity: Schema.Entity) {
        for key in keys { add(RowID(root: entity.root, key: key)) }
    }

    private mutating func add(_ row: RowID) {
        guard deleted[row] == nil else { return }
        deleted[row] = -1
        open.append(row)
    }

    /// Finds the objects that cascades delete too, and the reasons against deletion (``problems``).
    mutating func plan() throws {
        // A list instead of recursion, because a cascade can be as long as the data.
        while !open.isEmpty { try follow() }
        try check()
    }

    /// Deletes the objects. Does nothing if there are ``problems``.
    func run() throws {
        guard problems.isEmpty else { return }
        try unlink()
        for (entity, rows) in Dictionary(grouping: deleted.keys, by: { deleted[$0] ?? -1 }).sorted(by: {
            $0.key < $1.key
        })
        where entity >= 0 {
            let keys = rows.map(\.key).sorted()
            try self.rows.writer.delete(entity: entity, keys: keys)
            for key in keys {
                let row = RowID(root: schema.entities[entity].root, key: key)
                self.rows.noteDeleted(row, entity: entity, key: names[row])
            }
        }
    }

    /// Reads the links of some of the objects.
    private mutating func follow() throws {
        let root = open[open.count - 1].root
        var keys: [Int64] = []
        while let next = open.last, next.root == root, keys.count < RowWriter.lookupRows {
            keys.append(next.key)
            open.removeLast()
        }
        let stored = try store.read(root: root, keys: keys)
        let found = Set(stored.rows.map(\.key))
        for key in keys where !found.contains(key) { deleted[RowID(root: root, key: key)] = nil }
        for (entity, places) in Dictionary(grouping: stored.rows.indices, by: { Int(stored.rows[$0].entity) }) {
            for place in places {
                let row = RowID(root: root, key: stored.rows[place].key)
                deleted[row] = entity
                if names.count < nameLimit {
                    names[row] = ChangeText(schema: schema).key(row: place, of: stored)
                }
            }
            for relationship in schema.entities[entity].relationships where relationship.isPersistent {
                let other = schema.entities[relationship.destination].root
                if relationship.isToMany {
                    var members: [Link] = []
                    try store.readLinks(of: relationship, owners: places.map { stored.rows[$0].key }) {
                        members.append($0)
                    }
                    for link in members {
                        note(
                            RowID(root: root, key: link.owner), relationship, RowID(root: other, key: link.destination))
                    }
                } else {
                    for place in places {
                        guard case .reference(let key, _) = stored[place, relationship.slot] else { continue }
                        note(RowID(root: root, key: stored.rows[place].key), relationship, RowID(root: other, key: key))
                    }
                }
            }
        }
    }

    /// Notes a link, and adds the destination if the delete rule is cascade.
    private mutating func note(_ owner: RowID, _ relationship: Schema.Relationship, _ destination: RowID) {
        if relationship.description.deleteRule == .cascade {
            let place =
                written.position(of: destination)
                ?? read.keys.recordsByObject[destination]?.position(files: read.sources.files)
            if let place {
                problems.append(
                    Diagnostic(
                        .relationshipDenied,
                        "pruning p\(owner.key) would delete the object of the record at \(place.file):\(place.line)",
                        at: place, property: relationship.name))
            }
            add(destination)
        }
        links.append((owner, relationship, destination))
    }

    // MARK: Reasons against deletion

    private mutating func check() throws {
        let slots = try setSlots()
        for link in links where deleted[link.destination] == nil {
            let entity = schema.entities[deleted[link.owner] ?? link.relationship.owner]
            let name = schema.objectName(entity: entity.index, key: link.owner.key)
            if let place = place(setting: link, slots) {
                problems.append(
                    Diagnostic(
                        .relationshipDenied,
                        "\(name) cannot be pruned: the record at \(place.file):\(place.line) refers to it",
                        at: place, entity: entity.name, property: link.relationship.name))
                continue
            }
            switch link.relationship.description.deleteRule {
            case .deny:
                problems.append(
                    Diagnostic(
                        .relationshipDenied,
                        "\(name) cannot be pruned: its \(link.relationship.name) is not empty",
                        entity: entity.name, property: link.relationship.name,
                        coreDataCode: Diagnostic.Code.relationshipDenied.coreDataCode))
            case .nullify:
                guard let inverse = schema.inverse(of: link.relationship), !inverse.isToMany,
                    let violation = inverse.violations(ofCount: 0).first
                else { continue }
                problems.append(
                    Diagnostic(
                        violation.code,
                        "\(name) cannot be pruned: the \(inverse.name) of an object that refers to it is required",
                        entity: schema.entities[link.relationship.destination].name, property: inverse.name,
                        coreDataCode: violation.coreDataCode))
            default: continue
            }
        }
        try checkReferrers()
    }

    private struct RowSlot: Hashable {
        let row: RowID
        let slot: Int
    }

    /// The relationships that spooled rows and references set, for stored objects at the destinations of links.
    private func setSlots() throws -> Set<RowSlot> {
        var wanted: Set<RowSlot> = []
        for link in links where deleted[link.destination] == nil {
            guard let place = read.keys.recordsByObject[link.destination], read.stream.isWaiting(place),
                let inverse = schema.inverse(of: link.relationship)
            else { continue }
            wanted.insert(RowSlot(row: link.destination, slot: inverse.slot))
        }
        guard !wanted.isEmpty else { return [] }
        var slots: Set<RowSlot> = []
        for one in written.resolved.references {
            let reference = read.references.references[Int(one.reference)]
            let row = RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner)
            let slot = RowSlot(row: row, slot: read.references.relationship(of: reference).slot)
            if wanted.contains(slot) { slots.insert(slot) }
        }
        try read.spool.forEach { batch in
            for (row, header) in batch.rows.rows.enumerated() {
                guard let merge = batch.merge(of: row), !written.resolved.rejected.contains(batch.origins[row].place)
                else {
                    continue
                }
                let entity = schema.entities[Int(header.entity)]
                for relationship in entity.relationships where batch.sets(relationship.slot, merge) {
                    let slot = RowSlot(row: RowID(root: entity.root, key: header.key), slot: relationship.slot)
                    if wanted.contains(slot) { slots.insert(slot) }
                }
            }
        }
        return slots
    }

    /// The record of this import that links the destination of a link to its owner.
    private func place(
        setting link: (owner: RowID, relationship: Schema.Relationship, destination: RowID), _ slots: Set<RowSlot>
    ) -> SourcePosition? {
        guard let inverse = schema.inverse(of: link.relationship) else { return nil }
        if let place = written.position(of: link.destination) { return place }
        guard let place = read.keys.recordsByObject[link.destination] else { return nil }
        let isSet =
            read.stream.isWaiting(place)
            ? slots.contains(RowSlot(row: link.destination, slot: inverse.slot))
            : read.sources.hasColumn(for: inverse, file: place.file)
        return isSet ? place.position(files: read.sources.files) : nil
    }

    /// Finds references without an inverse to deleted objects. Deletion does not set them to NULL.
    private mutating func checkReferrers() throws {
        let roots = Set(deleted.keys.map(\.root))
        for entity in schema.entities where !entity.isAbstract {
            let relationships = entity.relationships.filter {
                !$0.isToMany && $0.isPersistent && $0.inverse == nil
                    && roots.contains(schema.entities[$0.destination].root)
            }
            guard !relationships.isEmpty else { continue }
            var found: [Diagnostic] = []
            try store.read(entities: entity.index..<entity.index + 1, batchSize: 1000) { batch in
                for row in batch.rows.indices where batch.rows[row].entity == Int32(entity.index) {
                    guard deleted[RowID(root: entity.root, key: batch.rows[row].key)] == nil else { continue }
                    for relationship in relationships {
                        guard case .reference(let key, _) = batch[row, relationship.slot],
                            deleted[RowID(root: schema.entities[relationship.destination].root, key: key)] != nil
                        else { continue }
                        found.append(
                            Diagnostic(
                                .relationshipDenied,
                                "\(schema.objectName(entity: entity.index, key: batch.rows[row].key)) refers to "
                                    + "an object (p\(key)) to be pruned", entity: entity.name,
                                property: relationship.name))
                    }
                }
                return true
            }
            problems += found
        }
    }

    // MARK: Links to objects that stay

    private func unlink() throws {
        var emptied: Set<RowSlot> = []
        for link in links where deleted[link.destination] == nil {
            rows.relinked.note(link.relationship, link.destination.key)
            guard let inverse = schema.inverse(of: link.relationship), !inverse.isToMany,
                let entity = deleted[link.owner], entity >= 0
            else { continue }
            if link.relationship.isToMany {
                guard emptied.insert(RowSlot(row: link.owner, slot: link.relationship.slot)).inserted else { continue }
                try rows.writer.setLinks(link.relationship, owner: link.owner.key, ownerEntity: entity, to: [])
            } else {
                try rows.writer.setReference(
                    inverse, owner: link.destination.key, entity: entity, destination: nil)
            }
        }
    }
}
