import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Checks the lists that records give: how many members they have, and whether a member that leaves its owner may, or says
/// itself that it stays.
struct ListCheck {
    let schema: Schema
    let store: any PersistentStore
    let table: ReferenceTable
    let places: RowPlaces
    let files: [String]
    /// Stored objects that records speak of.
    let claimed: ClaimedPlaces
    /// What rows that wait say of their own to-ones.
    let words: EarlyWords
    /// Whether a record's rows wait: then all that they say is known here.
    let isWaiting: (RecordPlace) -> Bool
    /// Whether the records of a source have a column for a relationship.
    let says: (Schema.Relationship, Int32) -> Bool

    struct Problem {
        let reference: ReferenceTable.Reference
        let owner: RowID
        let diagnostic: Diagnostic
    }

    /// A list that takes the place of the one that an object has.
    private struct List {
        let reference: ReferenceTable.Reference
        let relationship: Schema.Relationship
        let owner: RowID
        var members: Set<Int64> = []
    }

    private struct ListKey: Hashable {
        let relation: LinkHolders.Relation
        let owner: Int64
    }

    /// - Parameter counts: whether a reference's record is accepted.
    func problems(
        _ resolved: [ReferenceResolver.Resolved], counts: (ReferenceResolver.Resolved) -> Bool
    ) throws -> [Problem] {
        var keys: [ListKey: Int] = [:]
        var lists: [List] = []
        for one in resolved {
            let reference = table.references[Int(one.reference)]
            let relationship = table.relationship(of: reference)
            guard relationship.isToMany, !reference.isLink, counts(one) else { continue }
            let owner = RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner)
            let key = ListKey(relation: LinkHolders.Relation(relationship), owner: one.owner)
            let list = keys[key] ?? lists.count
            if list == lists.count {
                keys[key] = list
                lists.append(List(reference: reference, relationship: relationship, owner: owner))
            }
            if one.entity >= 0 { lists[list].members.insert(one.key) }
        }
        guard !lists.isEmpty else { return [] }
        var problems = lists.compactMap { countProblem($0) }
        let own = ownWords(resolved, lists.map(\.relationship), counts)
        var listed: [LinkHolders.Relation: [Int64: Int64]] = [:]
        for list in lists {
            for member in list.members {
                listed[LinkHolders.Relation(list.relationship), default: [:]][member] = list.owner.key
            }
        }
        for list in lists {
            if let problem = oneSidedProblem(list, lists, keys) { problems.append(problem) }
        }
        for list in lists where schema.inverse(of: list.relationship).map({ !$0.isToMany }) ?? false {
            if let problem = try leavingProblem(list, own, listed) { problems.append(problem) }
        }
        return problems
    }

    /// Two lists of a many-to-many, one from each end, that do not agree: whichever were set last would take a link away
    /// that the other record asks for.
    private func oneSidedProblem(_ list: List, _ lists: [List], _ keys: [ListKey: Int]) -> Problem? {
        guard let inverse = schema.inverse(of: list.relationship), inverse.isToMany else { return nil }
        let relation = LinkHolders.Relation(inverse)
        for member in list.members.sorted() {
            guard let number = keys[ListKey(relation: relation, owner: member)],
                !lists[number].members.contains(list.owner.key)
            else { continue }
            let other = lists[number].reference.place
            return problem(
                list, .relationshipTaken,
                "the list names an object whose own record (\(other.describe(files))) leaves this one out of its "
                    + "\(inverse.name)", nil, related: [other.position(files: files)])
        }
        return nil
    }

    private func countProblem(_ list: List) -> Problem? {
        // Too few may become more by what others say; too many stay too many.
        guard
            let violation = list.relationship.violations(ofCount: list.members.count).first(where: {
                $0.code == .relationshipTooMany
            })
        else { return nil }
        return problem(list, violation.code, violation.message, violation.coreDataCode)
    }

    /// What members themselves say over the inverse of a list.
    private struct OwnWords {
        /// The owner that each member names; nil for none.
        var owners: [Int64: Int64?] = [:]
        /// The members that name each owner.
        var members: [Int64: [Int64]] = [:]

        mutating func note(_ member: Int64, _ owner: Int64?) {
            owners[member] = .some(owner)
            if let owner { members[owner, default: []].append(member) }
        }
    }

    private func ownWords(
        _ resolved: [ReferenceResolver.Resolved], _ lists: [Schema.Relationship],
        _ counts: (ReferenceResolver.Resolved) -> Bool
    ) -> [LinkHolders.Relation: OwnWords] {
        var own: [LinkHolders.Relation: OwnWords] = [:]
        for list in lists {
            guard own[LinkHolders.Relation(list)] == nil, let inverse = schema.inverse(of: list), !inverse.isToMany
            else { continue }
            var found = OwnWords()
            for (member, word) in words[inverse] { found.note(member, word.target) }
            own[LinkHolders.Relation(list)] = found
        }
        for one in resolved {
            let relationship = table.relationship(of: table.references[Int(one.reference)])
            guard !relationship.isToMany, let inverse = schema.inverse(of: relationship), inverse.isToMany,
                own[LinkHolders.Relation(inverse)] != nil, counts(one)
            else { continue }
            own[LinkHolders.Relation(inverse)]?.note(one.owner, one.entity < 0 ? nil : one.key)
        }
        return own
    }

    /// Members that the owner has and the list does not name.
    private func leavingProblem(
        _ list: List, _ own: [LinkHolders.Relation: OwnWords],
        _ listed: [LinkHolders.Relation: [Int64: Int64]]
    ) throws -> Problem? {
        guard let inverse = schema.inverse(of: list.relationship) else { return nil }
        let relation = LinkHolders.Relation(list.relationship)
        let words = own[relation] ?? OwnWords()
        var present: Set<Int64> = []
        try store.readLinks(of: list.relationship, owners: [list.owner.key]) { present.insert($0.destination) }
        present.formUnion(words.members[list.owner.key] ?? [])
        let root = schema.entities[list.relationship.destination].root
        for member in present.subtracting(list.members).sorted() {
            let row = RowID(root: root, key: member)
            if let other = words.owners[member] {
                // It says itself that it goes elsewhere, or that it stays.
                if other != list.owner.key { continue }
                if let place = place(row) { return contradiction(list, place) }
            } else if listed[relation]?[member] != nil {
                continue
            }
            if let place = places.position(row, files: files) { return contradiction(list, place) }
            if let place = claimed[row], !isWaiting(place), says(inverse, place.file) {
                return contradiction(list, place.position(files: files))
            }
            if let violation = inverse.violations(ofCount: 0).first {
                return problem(
                    list, violation.code,
                    "the list leaves out p\(member), whose \(inverse.name) is required", violation.coreDataCode)
            }
        }
        return nil
    }

    private func place(_ row: RowID) -> SourcePosition? {
        places.position(row, files: files) ?? claimed[row]?.position(files: files)
    }

    private func contradiction(_ list: List, _ place: SourcePosition) -> Problem {
        problem(
            list, .relationshipTaken,
            "the list leaves out an object whose own record (\(place.file):\(place.line)) says that it belongs here",
            nil,
            related: [place])
    }

    private func problem(
        _ list: List, _ code: Diagnostic.Code, _ message: String, _ coreDataCode: Int?,
        related: [SourcePosition] = []
    ) -> Problem {
        Problem(
            reference: list.reference, owner: list.owner,
            diagnostic: Diagnostic(
                code, message, at: list.reference.place.position(files: files),
                field: table.field(of: list.reference), entity: schema.entities[Int(list.reference.entity)].name,
                property: list.relationship.name, coreDataCode: coreDataCode, related: related))
    }
}
