import GranaryCoordination
import GranaryModel

/// Compares lists of objects with the store, and writes those that differ.
struct ListWriter {
    /// One list of one object.
    struct List {
        let relationship: Schema.Relationship
        let owner: RowID
        let ownerEntity: Int
        var members: [Link] = []
        var seen: Set<Int64> = []
        /// The members that link records add.
        var added: [(link: Link, reference: ReferenceTable.Reference)] = []
        var place: RecordLocation
        var isReplaced = false
        /// Whether only one record of this import sets the object, so that there are no previous links.
        var isNew: Bool
    }

    let rows: RowWriter

    /// Writes lists. There is one for each object and relationship.
    ///
    /// - Returns: the records of link files that have added a link.
    func write(_ lists: [List]) throws -> Set<RecordID> {
        // All lists are read before any is written, because writing one can remove members of another.
        let present = try presentLinks(of: lists)
        var added: Set<RecordID> = []
        for (list, present) in zip(lists, present) { try write(list, present, &added) }
        return added
    }

    /// Writes the lists of changed objects whose members were known while reading.
    ///
    /// - Parameter changed: the rows of the objects.
    /// - Returns: the rows and records whose lists are written.
    func writeKnown(of changed: [Int], _ batch: ParsedRows) throws -> [MergeID] {
        var lists: [List] = []
        for row in changed {
            guard let merge = batch.merge(of: row), merge.knowsLists else { continue }
            let header = batch.rows.rows[row]
            let entity = rows.schema.entities[Int(header.entity)]
            for relationship in entity.relationships
            where relationship.isToMany && batch.sets(relationship.slot, merge) {
                let members = batch.links(of: row).filter { Int($0.slot) == relationship.slot }
                    .map { Link(owner: header.key, entity: Int($0.entity), destination: $0.destination) }
                lists.append(
                    List(
                        relationship: relationship, owner: RowID(root: entity.root, key: header.key),
                        ownerEntity: entity.index, members: members, place: batch.origins[row].place,
                        isReplaced: true, isNew: false))
            }
        }
        guard !lists.isEmpty else { return [] }
        _ = try write(lists)
        return lists.map { MergeID(row: $0.owner, record: RecordID($0.place)) }
    }

    /// The stored links of each list.
    private func presentLinks(of lists: [List]) throws -> [[Link]] {
        var present: [[Link]] = Array(repeating: [], count: lists.count)
        let read = lists.indices.filter { !lists[$0].isNew || !lists[$0].added.isEmpty }
        for places in Dictionary(grouping: read, by: { LinkOwners.Relation(lists[$0].relationship) }).values {
            let byOwner = Dictionary(places.map { (lists[$0].owner.key, $0) }, uniquingKeysWith: { first, _ in first })
            try rows.store.readLinks(of: lists[places[0]].relationship, owners: Array(byOwner.keys)) { link in
                if let place = byOwner[link.owner] { present[place].append(link) }
            }
        }
        return present
    }

    private func write(_ list: List, _ present: [Link], _ records: inout Set<RecordID>) throws {
        var members = list.isReplaced ? list.members : present
        var known = Set(members.map(\.destination))
        let stored = list.added.isEmpty ? [] : Set(present.map(\.destination))
        for (link, reference) in list.added {
            guard known.insert(link.destination).inserted else { continue }
            members.append(link)
            // Another record can set the list without a member that the store has.
            if !stored.contains(link.destination) { records.insert(RecordID(reference.place)) }
        }
        guard !Self.isSame(present, members, list.relationship) || (list.isNew && !members.isEmpty) else { return }
        try rows.writer.setLinks(
            list.relationship, owner: list.owner.key, ownerEntity: list.ownerEntity, to: members)
        let (before, after) = (Set(present.map(\.destination)), Set(members.map(\.destination)))
        for member in before.symmetricDifference(after) { rows.relinked.note(list.relationship, member) }
        guard !list.isNew else { return }
        rows.noteList(
            list.owner, entity: list.ownerEntity, property: list.relationship.name, at: list.place, from: present,
            to: members)
        if rows.raise(list.owner) { try rows.writer.raiseVersions(root: list.owner.root, keys: [list.owner.key]) }
    }

    private static func isSame(_ left: [Link], _ right: [Link], _ relationship: Schema.Relationship) -> Bool {
        guard left.count == right.count else { return false }
        if zip(left, right).allSatisfy({ $0.destination == $1.destination }) { return true }
        if relationship.description.isOrdered { return false }
        return Set(left.map(\.destination)) == Set(right.map(\.destination))
    }
}
