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
    private let places: RowPlaces
    /// Objects that several records speak of.
    private let shared: Set<RowID>
    /// What a store refused only now: a uniqueness constraint with a to-one in it.
    private(set) var refused: [(reference: ReferenceTable.Reference, owner: RowID, error: GranaryError)] = []
    /// Records of link files that have added a link.
    private(set) var added: Set<RecordID> = []

    init(
        schema: Schema, store: any PersistentStore, rows: RowWriter, table: ReferenceTable, places: RowPlaces,
        shared: Set<RowID>
    ) {
        self.schema = schema
        self.store = store
        self.rows = rows
        self.table = table
        self.places = places
        self.shared = shared
    }

    /// Whether nothing but one record of this import says what the object is: there is nothing to compare it with.
    private func isNew(_ row: RowID) -> Bool { places[row] != nil && !shared.contains(row) }

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
            guard !rejects.refuses(reference, owner: owner) else { continue }
            let relationship = table.relationship(of: reference)
            guard relationship.isToMany else {
                if isNew(owner) {
                    if one.entity >= 0 { try set(reference, relationship, owner, one) }
                } else {
                    // Of records that say the same to-one of one object the last counts.
                    guard !rows.saysLater(owner, slot: relationship.slot, than: reference.place, rejects) else {
                        continue
                    }
                    if late[owner] == nil { order.append(owner) }
                    late[owner, default: []].removeAll { $0.relationship.slot == relationship.slot }
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
        if !reference.isLink {
            list.isReplaced = true
            // Of two records that say the list the later one counts.
            if RecordID(list.place) != RecordID(reference.place) {
                list.members = []
                list.seen = []
                list.place = reference.place
            }
        }
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
            rows.otherEnds.note(relationship, one.key)
            try setOtherEnd(relationship, owner, Int(one.ownerEntity), one, before: nil, reference.place)
        } catch let error as GranaryError where error.code == .refused {
            refused.append((reference, owner, error))
        }
    }

    /// The other end of a one-to-one points back; who was linked to either end is not any more.
    private func setOtherEnd(
        _ relationship: Schema.Relationship, _ owner: RowID, _ ownerEntity: Int, _ one: ReferenceResolver.Resolved,
        before: Int64?, _ place: RecordPlace
    ) throws {
        guard let inverse = rows.inverse(of: relationship), !inverse.isToMany else { return }
        if let before, one.entity < 0 || before != one.key {
            // It may have got another partner meanwhile, as in a swap.
            let partner = try store.read(root: schema.entities[relationship.destination].root, keys: [before])
            if !partner.isEmpty, case .reference(_, let back) = partner[0, inverse.slot], back == owner.key {
                try rows.writer.setReference(inverse, owner: before, entity: ownerEntity, destination: nil)
                rows.orphans.append((inverse, before, place))
            }
        }
        guard one.entity >= 0 else { return }
        let root = schema.entities[relationship.destination].root
        if places[RowID(root: root, key: one.key)] == nil {
            let stored = try store.read(root: root, keys: [one.key])
            if !stored.isEmpty, case .reference(_, let other) = stored[0, inverse.slot], other != owner.key {
                try rows.writer.setReference(relationship, owner: other, entity: Int(one.entity), destination: nil)
                rows.otherEnds.note(inverse, other)
                rows.orphans.append((relationship, other, place))
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
            let wanted = late.resolved.entity >= 0 ? late.resolved.key : nil
            guard before != wanted else { continue }
            do {
                try rows.writer.setReference(
                    late.relationship, owner: owner.key, entity: max(0, Int(late.resolved.entity)),
                    destination: wanted)
                try setOtherEnd(
                    late.relationship, owner, entity, late.resolved, before: before, late.reference.place)
                for end in [before, wanted].compactMap({ $0 }) { rows.otherEnds.note(late.relationship, end) }
            } catch let error as GranaryError where error.code == .refused {
                refused.append((late.reference, owner, error))
                continue
            }
            isChanged = true
            let text = ChangeText(schema: schema)
            let new = wanted.map { text.reference(entity: Int(late.resolved.entity), key: $0) } ?? "NULL"
            rows.noteLate(
                owner, entity: entity, property: late.relationship.name, at: late.reference.place,
                values: [
                    ImportChange.Value(
                        late.relationship.name, old: text.value(late.relationship.slot, row: row, of: stored), new: new)
                ])
        }
        if isChanged { try raiseVersions([owner]) }
    }

    /// Counts the version of objects up, once, whose links have changed.
    private func raiseVersions(_ owners: [RowID]) throws {
        for owner in owners where !isNew(owner) && rows.raise(owner) {
            try rows.writer.raiseVersions(root: owner.root, keys: [owner.key])
        }
    }

    // MARK: Lists

    private mutating func write(_ lists: [List]) throws {
        // All are read before any is written: what one list takes from another is a change of both.
        var present: [[Link]] = []
        for list in lists {
            var links: [Link] = []
            if !isNew(list.owner) || !list.added.isEmpty {
                try store.readLinks(of: list.relationship, owners: [list.owner.key]) { links.append($0) }
            }
            present.append(links)
        }
        for (list, present) in zip(lists, present) { try write(list, present) }
    }

    private mutating func write(_ list: List, _ present: [Link]) throws {
        let isNew = isNew(list.owner)
        var members = list.isReplaced ? list.members : present
        var known = Set(members.map(\.destination))
        for (link, reference) in list.added {
            guard known.insert(link.destination).inserted else { continue }
            members.append(link)
            added.insert(RecordID(reference.place))
        }
        guard !Self.isSame(present, members, list.relationship) || (isNew && !members.isEmpty) else { return }
        try rows.writer.setLinks(
            list.relationship, owner: list.owner.key, ownerEntity: list.ownerEntity, to: members)
        let (before, after) = (Set(present.map(\.destination)), Set(members.map(\.destination)))
        for member in before.symmetricDifference(after) { rows.otherEnds.note(list.relationship, member) }
        guard !isNew else { return }
        rows.noteLate(
            list.owner, entity: list.ownerEntity, property: list.relationship.name, at: list.place)
        try raiseVersions([list.owner])
    }

    private static func isSame(_ left: [Link], _ right: [Link], _ relationship: Schema.Relationship) -> Bool {
        if relationship.description.isOrdered { return left.map(\.destination) == right.map(\.destination) }
        return left.count == right.count && Set(left.map(\.destination)) == Set(right.map(\.destination))
    }
}
