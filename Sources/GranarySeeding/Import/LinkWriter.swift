import GranaryBase
import GranaryModel
import GranaryPersistence

/// Sets the references that waited, once it is certain which rows stay.
struct LinkWriter {
    let schema: Schema
    let store: any PersistentStore
    let rows: RowWriter
    let table: ReferenceTable
    /// Where the rows that this import has made come from.
    let places: RowPlaces
    /// What a store refused only now: a uniqueness constraint with a to-one in it.
    private(set) var refused: [(reference: ReferenceTable.Reference, owner: RowID, error: GranaryError)] = []
    /// By job file: records of link files that have added a link, or found it there.
    private(set) var links: [Int32: (added: Int, present: Int)] = [:]

    init(
        schema: Schema, store: any PersistentStore, rows: RowWriter, table: ReferenceTable, places: RowPlaces
    ) {
        self.schema = schema
        self.store = store
        self.rows = rows
        self.table = table
        self.places = places
    }

    private typealias Resolved = ReferenceResolver.Resolved

    /// One list of one object.
    private struct List {
        let relationship: Schema.Relationship
        let owner: RowID
        let ownerEntity: Int
        var members: [Link] = []
        var seen: Set<Int64> = []
        /// Link records: the members they add.
        var added: [(link: Link, reference: ReferenceTable.Reference)] = []
        var place: RecordPlace
        var isReplaced = false
    }

    private struct ListKey: Hashable {
        let slot: Int
        let owner: RowID
    }

    /// - Parameter note: takes warnings.
    mutating func write(
        _ resolved: [ReferenceResolver.Resolved], rejects: LateRejects, _ note: (Diagnostic) -> Void, files: [String]
    ) throws {
        var keys: [ListKey: Int] = [:]
        var lists: [List] = []
        var late: [RowID: [Late]] = [:]
        var order: [RowID] = []
        for one in resolved where !one.isDropped {
            let reference = table.references[Int(one.reference)]
            let owner = RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner)
            guard !reference.isRejected, !rejects.contains(owner),
                !reference.isLink || !rejects.records.contains(RecordID(reference.place))
            else { continue }
            let relationship = table.relationship(of: reference)
            guard relationship.isToMany else {
                if places[owner] != nil {
                    try set(reference, relationship, owner, one)
                } else {
                    if late[owner] == nil { order.append(owner) }
                    late[owner, default: []].append(
                        Late(reference: reference, relationship: relationship, resolved: one))
                }
                continue
            }
            let key = ListKey(slot: relationship.slot, owner: owner)
            let list = keys[key] ?? lists.count
            if list == lists.count {
                keys[key] = list
                lists.append(
                    List(
                        relationship: relationship, owner: owner, ownerEntity: Int(one.ownerEntity),
                        place: reference.place))
            }
            add(one, reference, to: &lists[list], note, files)
        }
        try setLate(late, in: order)
        try write(lists)
    }

    private func add(
        _ one: ReferenceResolver.Resolved, _ reference: ReferenceTable.Reference, to list: inout List,
        _ note: (Diagnostic) -> Void, _ files: [String]
    ) {
        if !reference.isLink { list.isReplaced = true }
        guard one.entity >= 0 else { return }
        let link = Link(owner: one.owner, entity: Int(one.entity), destination: one.key)
        if reference.isLink {
            list.added.append((link, reference))
        } else if list.seen.insert(one.key).inserted {
            list.members.append(link)
        } else {
            note(
                Diagnostic(
                    .uniqueDuplicate, "the object stands in the list twice; it is in the relationship once",
                    severity: .warning, at: reference.place.position(files: files), field: table.field(of: reference),
                    entity: schema.entities[list.ownerEntity].name, property: list.relationship.name))
        }
    }

    // MARK: To-ones

    private mutating func set(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship, _ owner: RowID,
        _ one: ReferenceResolver.Resolved
    ) throws {
        do {
            try rows.writer.setReference(
                relationship, owner: owner.key, entity: Int(one.entity), destination: one.key)
            try setOtherEnd(relationship, owner, Int(one.ownerEntity), one, before: nil)
        } catch let error as GranaryError where error.code == .refused {
            refused.append((reference, owner, error))
        }
    }

    /// The other end of a one-to-one points back; who was linked to either end is not any more.
    private func setOtherEnd(
        _ relationship: Schema.Relationship, _ owner: RowID, _ ownerEntity: Int, _ one: ReferenceResolver.Resolved,
        before: Int64?
    ) throws {
        guard let inverse = rows.inverse(of: relationship), !inverse.isToMany else { return }
        if let before, before != one.key {
            try rows.writer.setReference(inverse, owner: before, entity: ownerEntity, destination: nil)
        }
        let root = schema.entities[relationship.destination].root
        if places[RowID(root: root, key: one.key)] == nil {
            let stored = try store.read(root: root, keys: [one.key])
            if !stored.isEmpty, case .reference(_, let other) = stored[0, inverse.slot], other != owner.key {
                try rows.writer.setReference(relationship, owner: other, entity: Int(one.entity), destination: nil)
            }
        }
        // The concrete entity: a store keeps it beside the key.
        try rows.writer.setReference(inverse, owner: one.key, entity: ownerEntity, destination: owner.key)
    }

    private struct Late {
        let reference: ReferenceTable.Reference
        let relationship: Schema.Relationship
        let resolved: ReferenceResolver.Resolved
    }

    /// References of objects that the store had before: compared first, so that what is the same is not written.
    private mutating func setLate(_ late: [RowID: [Late]], in order: [RowID]) throws {
        for (root, owners) in Dictionary(grouping: order, by: \.root).sorted(by: { $0.key < $1.key }) {
            var rest = owners[...]
            while !rest.isEmpty {
                let stored = try store.read(root: root, keys: rest.prefix(RowWriter.lookupRows).map(\.key))
                rest = rest.dropFirst(RowWriter.lookupRows)
                for row in stored.rows.indices {
                    let owner = RowID(root: root, key: stored.rows[row].key)
                    try setLate(late[owner] ?? [], owner, row, of: stored)
                }
            }
        }
    }

    private mutating func setLate(
        _ references: [Late], _ owner: RowID, _ row: Int, of stored: borrowing RowBatch
    ) throws {
        let entity = Int(stored.rows[row].entity)
        var isChanged = false
        for late in references {
            var before: Int64?
            if case .reference(_, let key) = stored[row, late.relationship.slot] { before = key }
            guard before != late.resolved.key else { continue }
            do {
                try rows.writer.setReference(
                    late.relationship, owner: owner.key, entity: Int(late.resolved.entity),
                    destination: late.resolved.key)
                try setOtherEnd(late.relationship, owner, entity, late.resolved, before: before)
            } catch let error as GranaryError where error.code == .refused {
                refused.append((late.reference, owner, error))
                continue
            }
            isChanged = true
            rows.noteLate(owner, entity: entity, property: late.relationship.name, at: late.reference.place)
        }
        if isChanged { try raiseVersions([owner]) }
    }

    /// Counts the version of objects up, once, whose links have changed.
    private func raiseVersions(_ owners: [RowID]) throws {
        for owner in owners where places[owner] == nil && rows.raise(owner) {
            let stored = try store.read(root: owner.root, keys: [owner.key])
            guard let header = stored.rows.first else { continue }
            var copy = RowBatch()
            copy.append(0, of: stored, slotCount: schema.entities[Int(header.entity)].slotCount)
            copy.rows[0].version += 1
            try rows.writer.update(copy)
        }
    }

    // MARK: Lists

    private mutating func write(_ lists: [List]) throws {
        for list in lists {
            let isNew = places[list.owner] != nil
            var present: [Link] = []
            if !isNew || !list.added.isEmpty {
                try store.readLinks(of: list.relationship, owners: [list.owner.key]) { present.append($0) }
            }
            var members = list.isReplaced ? list.members : present
            var known = Set(members.map(\.destination))
            for (link, reference) in list.added {
                let isAdded = known.insert(link.destination).inserted
                if isAdded { members.append(link) }
                links[reference.place.file, default: (0, 0)].added += isAdded ? 1 : 0
                links[reference.place.file, default: (0, 0)].present += isAdded ? 0 : 1
            }
            guard !Self.isSame(present, members, list.relationship) || (isNew && !members.isEmpty) else { continue }
            try rows.writer.setLinks(
                list.relationship, owner: list.owner.key, ownerEntity: list.ownerEntity, to: members)
            guard !isNew else { continue }
            rows.noteLate(
                list.owner, entity: list.ownerEntity, property: list.relationship.name, at: list.place)
            try raiseVersions([list.owner])
        }
    }

    private static func isSame(_ left: [Link], _ right: [Link], _ relationship: Schema.Relationship) -> Bool {
        if relationship.description.isOrdered { return left.map(\.destination) == right.map(\.destination) }
        return left.count == right.count && Set(left.map(\.destination)) == Set(right.map(\.destination))
    }
}
