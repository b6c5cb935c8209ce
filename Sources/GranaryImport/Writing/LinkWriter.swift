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
    /// For each relationship of the table, whether lists of new objects are written without reading links: it is
    /// many-to-many, and no other record names a link of it.
    private let isInsertable: [Bool]
    /// The records of link files that have added a link.
    private(set) var added: Set<RecordID> = []

    init(
        schema: Schema, store: any StoreBackend, rows: RowWriter, table: ReferenceTable, map: PrimaryKeyMap,
        restores: Bool, isNew: @escaping (RowID) -> Bool
    ) {
        self.schema = schema
        self.store = store
        self.rows = rows
        self.table = table
        self.map = map
        self.isNew = isNew
        let present = Set(table.relationships.map { LinkOwners.Relation($0) })
        var isInsertable = table.relationships.map { relationship in
            guard !restores, schema.isManyToMany(relationship), let inverse = schema.inverse(of: relationship) else {
                return false
            }
            return !present.contains(LinkOwners.Relation(inverse))
        }
        for reference in table.references where reference.isLink { isInsertable[Int(reference.relationship)] = false }
        self.isInsertable = isInsertable
    }

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

    /// Lists by their owners.
    private struct Lists {
        var all: [ListWriter.List] = []
        var indices: [LinkOwners.End: Int] = [:]

        mutating func removeAll() {
            all.removeAll(keepingCapacity: true)
            indices.removeAll(keepingCapacity: true)
        }
    }

    /// Writes the lists of new objects in many-to-many relationships. This reads nothing from the store, so the
    /// page loader is still in use.
    ///
    /// - Parameters:
    ///   - resolved: the references of accepted records, in order.
    ///   - note: receives warnings.
    func writeNewLists(
        _ resolved: [ReferenceResolver.Resolved], _ note: (Diagnostic) -> Void, files: [String]
    ) throws {
        guard isInsertable.contains(true) else { return }
        var lists = Lists()
        var record: RecordID?
        var pending = NewLinks()
        for one in resolved {
            let reference = table.references[Int(one.reference)]
            guard isInserted(one, reference) else { continue }
            if record != RecordID(reference.place) {
                try insert(lists, &pending, atLeast: Self.insertedLinks)
                lists.removeAll()
                record = RecordID(reference.place)
            }
            add(one, reference, to: &lists, note, files)
        }
        try insert(lists, &pending, atLeast: 1)
    }

    /// The number of links that are inserted at once.
    private static let insertedLinks = 4096

    private func insert(_ lists: Lists, _ pending: inout NewLinks, atLeast count: Int) throws {
        for list in lists.all where !list.members.isEmpty {
            pending.add(list.members, of: list.relationship, ownerEntity: list.ownerEntity)
        }
        for group in pending.take(atLeast: count) { try rows.insert(group) }
    }

    /// Whether ``writeNewLists(_:_:files:)`` writes a reference.
    private func isInserted(
        _ one: ReferenceResolver.Resolved, _ reference: ReferenceTable.Reference
    ) -> Bool {
        isInsertable[Int(reference.relationship)]
            && isNew(RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner))
    }

    /// Writes the lists that ``writeNewLists(_:_:files:)`` has not written.
    ///
    /// - Parameters:
    ///   - resolved: the references of accepted records, in order.
    ///   - note: receives warnings.
    mutating func writeLists(
        _ resolved: [ReferenceResolver.Resolved], _ note: (Diagnostic) -> Void, files: [String]
    ) throws {
        var lists = Lists()
        for one in resolved {
            let reference = table.references[Int(one.reference)]
            guard table.relationship(of: reference).isToMany, !isInserted(one, reference) else { continue }
            add(one, reference, to: &lists, note, files)
        }
        added = try ListWriter(rows: rows).write(lists.all)
    }

    private func add(
        _ one: ReferenceResolver.Resolved, _ reference: ReferenceTable.Reference, to lists: inout Lists,
        _ note: (Diagnostic) -> Void, _ files: [String]
    ) {
        let relationship = table.relationship(of: reference)
        let key = LinkOwners.End(relationship, of: one.owner)
        let list = lists.indices[key] ?? lists.all.count
        if list == lists.all.count {
            let owner = RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner)
            lists.indices[key] = list
            lists.all.append(
                ListWriter.List(
                    relationship: relationship, owner: map.id(owner), ownerEntity: Int(one.ownerEntity),
                    place: reference.place, isNew: isNew(owner)))
        }
        add(one, reference, to: &lists.all[list], note, files)
    }

    private func add(
        _ one: ReferenceResolver.Resolved, _ reference: ReferenceTable.Reference, to list: inout ListWriter.List,
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
                Self.repeatedMember(
                    list.relationship, schema.entities[list.ownerEntity], at: reference.place.position(files: files),
                    field: table.field(of: reference)))
        }
    }

    /// The warning of a list that names an object twice.
    static func repeatedMember(
        _ relationship: Schema.Relationship, _ owner: Schema.Entity, at position: SourcePosition, field: String?
    ) -> Diagnostic {
        Diagnostic(
            .uniqueDuplicate, "the list contains the object twice; the relationship contains it once",
            severity: .warning, at: position, field: field, entity: owner.name, property: relationship.name)
    }
}
