import GranaryBase
import GranaryCoordination
import GranaryModel

/// Writes lists and the inverses of one-to-one relationships, after all rows are written.
struct LinkWriter {
    let schema: Schema
    let store: any StoreBackend
    let rows: RowWriter
    let table: ReferenceTable
    let map: PrimaryKeyMap
    /// Whether only one record of this import sets the object, so that there are no previous links.
    let isNew: (RowID) -> Bool
    /// The records of link files that have added a link.
    private(set) var added: Set<RecordID> = []

    // MARK: One-to-ones

    /// Sets the inverse of each one-to-one, and unlinks the previous partners of both objects. If several records set
    /// the relationship of one object, the last one wins. A record that names a partner wins over the partner's record
    /// that sets NULL.
    func writePairings() throws {
        // The final value for each object, and whether it differs from the store's.
        var last: [LinkOwners.End: (index: Int, isChange: Bool)] = [:]
        for (index, pairing) in rows.pairings.enumerated() {
            let end = LinkOwners.End(pairing.relationship, of: pairing.owner.key)
            last[end] = (index, pairing.isChange || last[end]?.isChange ?? false)
        }
        var final: [Pairing] = []
        for one in last.values.sorted(by: { $0.index < $1.index }) {
            let pairing = rows.pairings[one.index]
            guard case .reference(let key, let entity) = pairing.to,
                let inverse = schema.inverse(of: pairing.relationship)
            else { continue }
            let root = schema.entities[pairing.relationship.destination].root
            final.append(
                Pairing(
                    relationship: pairing.relationship, inverse: inverse, owner: pairing.owner,
                    ownerEntity: pairing.ownerEntity, partner: RowID(root: root, key: key),
                    partnerEntity: Int(entity), isChange: one.isChange))
        }
        var hasLosses = false
        for pairing in rows.pairings {
            guard let from = pairing.from, let inverse = schema.inverse(of: pairing.relationship) else { continue }
            let root = schema.entities[pairing.relationship.destination].root
            guard try reference(inverse, of: RowID(root: root, key: from)) == pairing.owner.key else { continue }
            try rows.writer.setReference(inverse, owner: from, entity: pairing.ownerEntity, destination: nil)
            hasLosses = true
        }
        for pairing in final where pairing.isChange {
            guard let other = try reference(pairing.inverse, of: pairing.partner), other != pairing.owner.key,
                try reference(pairing.relationship, of: RowID(root: pairing.owner.root, key: other))
                    == pairing.partner.key
            else { continue }
            try rows.writer.setReference(
                pairing.relationship, owner: other, entity: pairing.partnerEntity, destination: nil)
            rows.relinked.note(pairing.inverse, other)
            hasLosses = true
        }
        for pairing in final where pairing.isChange || hasLosses {
            try set(pairing.relationship, of: pairing.owner, to: pairing.partner, entity: pairing.partnerEntity)
            try set(pairing.inverse, of: pairing.partner, to: pairing.owner, entity: pairing.ownerEntity)
        }
    }

    private struct Pairing {
        let relationship: Schema.Relationship
        let inverse: Schema.Relationship
        let owner: RowID
        let ownerEntity: Int
        let partner: RowID
        let partnerEntity: Int
        let isChange: Bool
    }

    private func set(_ relationship: Schema.Relationship, of row: RowID, to target: RowID, entity: Int) throws {
        guard try reference(relationship, of: row) != target.key else { return }
        try rows.writer.setReference(relationship, owner: row.key, entity: entity, destination: target.key)
    }

    func reference(_ relationship: Schema.Relationship, of row: RowID) throws -> Int64? {
        let stored = try store.read(root: row.root, keys: [row.key])
        guard !stored.isEmpty, case .reference(let found, _) = stored[0, relationship.slot] else { return nil }
        return found
    }

    // MARK: Lists

    /// One list of one object.
    private struct List {
        let relationship: Schema.Relationship
        let owner: RowID
        let ownerEntity: Int
        var members: [Link] = []
        var seen: Set<Int64> = []
        /// The members that link records add.
        var added: [(link: Link, reference: ReferenceTable.Reference)] = []
        var place: RecordLocation
        var isReplaced = false
        var isNew: Bool
    }

    /// - Parameters:
    ///   - resolved: the references of accepted records, in order.
    ///   - note: receives warnings.
    mutating func writeLists(
        _ resolved: [ReferenceResolver.Resolved], _ note: (Diagnostic) -> Void, files: [String]
    ) throws {
        var keys: [LinkOwners.End: Int] = [:]
        var lists: [List] = []
        for one in resolved {
            let reference = table.references[Int(one.reference)]
            let relationship = table.relationship(of: reference)
            guard relationship.isToMany else { continue }
            let owner = RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner)
            let key = LinkOwners.End(relationship, of: one.owner)
            let list = keys[key] ?? lists.count
            if list == lists.count {
                keys[key] = list
                lists.append(
                    List(
                        relationship: relationship, owner: map.id(owner), ownerEntity: Int(one.ownerEntity),
                        place: reference.place, isNew: isNew(owner)))
            }
            add(one, reference, to: &lists[list], note, files)
        }
        try write(lists)
    }

    private func add(
        _ one: ReferenceResolver.Resolved, _ reference: ReferenceTable.Reference, to list: inout List,
        _ note: (Diagnostic) -> Void, _ files: [String]
    ) {
        if !reference.isLink {
            list.isReplaced = true
            // If several records have the list, the last one wins.
            if RecordID(list.place) != RecordID(reference.place) {
                list.members = []
                list.seen = []
                list.place = reference.place
            }
        }
        guard one.entity >= 0 else { return }
        let target = map.key(schema.entities[Int(one.entity)].root, one.key)
        let link = Link(owner: list.owner.key, entity: Int(one.entity), destination: target)
        if reference.isLink {
            list.added.append((link, reference))
        } else if list.seen.insert(target).inserted {
            list.members.append(link)
        } else {
            note(
                Diagnostic(
                    .uniqueDuplicate, "the list contains the object twice; the relationship contains it once",
                    severity: .warning, at: reference.place.position(files: files), field: table.field(of: reference),
                    entity: schema.entities[list.ownerEntity].name, property: list.relationship.name))
        }
    }

    private mutating func write(_ lists: [List]) throws {
        // All lists are read before any is written, because writing one can remove members of another.
        var present: [[Link]] = []
        for list in lists {
            var links: [Link] = []
            if !list.isNew || !list.added.isEmpty {
                try store.readLinks(of: list.relationship, owners: [list.owner.key]) { links.append($0) }
            }
            present.append(links)
        }
        for (list, present) in zip(lists, present) { try write(list, present) }
    }

    private mutating func write(_ list: List, _ present: [Link]) throws {
        var members = list.isReplaced ? list.members : present
        var known = Set(members.map(\.destination))
        for (link, reference) in list.added {
            guard known.insert(link.destination).inserted else { continue }
            members.append(link)
            added.insert(RecordID(reference.place))
        }
        guard !Self.isSame(present, members, list.relationship) || (list.isNew && !members.isEmpty) else { return }
        try rows.writer.setLinks(
            list.relationship, owner: list.owner.key, ownerEntity: list.ownerEntity, to: members)
        let (before, after) = (Set(present.map(\.destination)), Set(members.map(\.destination)))
        for member in before.symmetricDifference(after) { rows.relinked.note(list.relationship, member) }
        guard !list.isNew else { return }
        rows.noteList(list.owner, entity: list.ownerEntity, property: list.relationship.name, at: list.place)
        if rows.raise(list.owner) { try rows.writer.raiseVersions(root: list.owner.root, keys: [list.owner.key]) }
    }

    private static func isSame(_ left: [Link], _ right: [Link], _ relationship: Schema.Relationship) -> Bool {
        if relationship.description.isOrdered { return left.map(\.destination) == right.map(\.destination) }
        return left.count == right.count && Set(left.map(\.destination)) == Set(right.map(\.destination))
    }
}
