import GranaryBase
import GranaryCoordination
import GranaryModel

/// Checks the lists of to-many relationships in records: the number of members, and whether the members that a list
/// omits can lose their owner.
struct ListCheck {
    let schema: Schema
    let store: any StoreBackend
    let table: ReferenceTable
    let places: RowPlaces
    let files: [String]
    let recordsByObject: RecordsByObject
    let toOnes: SpooledToOnes
    /// Whether the rows of a record are in the spool. All their values are then known here.
    let isWaiting: (RecordLocation) -> Bool
    /// Whether the records of a source have a column for a relationship.
    let hasColumn: (Schema.Relationship, Int32) -> Bool

    struct Problem {
        let reference: ReferenceTable.Reference
        let owner: RowID
        let diagnostic: Diagnostic
    }

    /// A list that replaces the members of a relationship.
    private struct List {
        let reference: ReferenceTable.Reference
        let relationship: Schema.Relationship
        let owner: RowID
        var members: Set<Int64> = []
    }

    /// - Parameter counts: whether a reference's record is accepted.
    func problems(
        _ resolved: [ReferenceResolver.Resolved], counts: (ReferenceResolver.Resolved) -> Bool
    ) throws -> [Problem] {
        var keys: [LinkOwners.End: Int] = [:]
        var lists: [List] = []
        let areChecked = table.relationships.map(isChecked)
        for one in resolved {
            let reference = table.references[Int(one.reference)]
            guard areChecked[Int(reference.relationship)], !reference.isLink, counts(one) else { continue }
            let relationship = table.relationship(of: reference)
            let owner = RowID(root: schema.entities[Int(one.ownerEntity)].root, key: one.owner)
            let key = LinkOwners.End(relationship, of: one.owner)
            let list = keys[key] ?? lists.count
            if list == lists.count {
                keys[key] = list
                lists.append(List(reference: reference, relationship: relationship, owner: owner))
            }
            if one.entity >= 0 { lists[list].members.insert(one.key) }
        }
        guard !lists.isEmpty else { return [] }
        var problems = lists.compactMap { countProblem($0) }
        let own = memberOwners(resolved, lists.map(\.relationship), counts)
        var listed: [LinkOwners.Relation: [Int64: Int64]] = [:]
        for list in lists {
            for member in list.members {
                listed[LinkOwners.Relation(list.relationship), default: [:]][member] = list.owner.key
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

    /// Whether a list of the relationship can have a problem.
    private func isChecked(_ relationship: Schema.Relationship) -> Bool {
        guard relationship.isToMany else { return false }
        guard schema.isManyToMany(relationship), !relationship.hasCountRule else { return true }
        let inverse = schema.inverse(of: relationship).map { LinkOwners.Relation($0) }
        return table.relationships.contains { LinkOwners.Relation($0) == inverse }
    }

    /// A problem if a list of a many-to-many has a member whose own list omits the owner. The list written last would
    /// remove the link of the other.
    private func oneSidedProblem(_ list: List, _ lists: [List], _ keys: [LinkOwners.End: Int]) -> Problem? {
        guard let inverse = schema.inverse(of: list.relationship), inverse.isToMany else { return nil }
        for member in list.members.sorted() {
            guard let number = keys[LinkOwners.End(inverse, of: member)],
                !lists[number].members.contains(list.owner.key)
            else { continue }
            let other = lists[number].reference.place
            return problem(
                list, .relationshipTaken,
                "the list has an object whose own record (\(other.describe(files))) omits this one from its "
                    + "\(inverse.name)", nil, related: [other.position(files: files)])
        }
        return nil
    }

    private func countProblem(_ list: List) -> Problem? {
        // Other records can add members to a list that is too short, but not remove members from one that is too long.
        guard
            let violation = list.relationship.violations(ofCount: list.members.count).first(where: {
                $0.code == .relationshipTooMany
            })
        else { return nil }
        return problem(list, violation.code, violation.message, violation.coreDataCode)
    }

    /// The owners that the records of the members set in the inverse of a list.
    private struct MemberOwners {
        /// The owner that each member sets; nil for NULL.
        var owners: [Int64: Int64?] = [:]
        /// The members that set each owner.
        var members: [Int64: [Int64]] = [:]

        mutating func note(_ member: Int64, _ owner: Int64?) {
            owners[member] = .some(owner)
            if let owner { members[owner, default: []].append(member) }
        }
    }

    private func memberOwners(
        _ resolved: [ReferenceResolver.Resolved], _ lists: [Schema.Relationship],
        _ counts: (ReferenceResolver.Resolved) -> Bool
    ) -> [LinkOwners.Relation: MemberOwners] {
        var own: [LinkOwners.Relation: MemberOwners] = [:]
        for list in lists {
            guard own[LinkOwners.Relation(list)] == nil, let inverse = schema.inverse(of: list), !inverse.isToMany
            else { continue }
            var found = MemberOwners()
            for (member, value) in toOnes[inverse] { found.note(member, value.target) }
            own[LinkOwners.Relation(list)] = found
        }
        for one in resolved {
            let relationship = table.relationship(of: table.references[Int(one.reference)])
            guard !relationship.isToMany, let inverse = schema.inverse(of: relationship), inverse.isToMany,
                own[LinkOwners.Relation(inverse)] != nil, counts(one)
            else { continue }
            own[LinkOwners.Relation(inverse)]?.note(one.owner, one.entity < 0 ? nil : one.key)
        }
        return own
    }

    /// A problem if the list omits a member that its owner has and that cannot lose it.
    private func leavingProblem(
        _ list: List, _ own: [LinkOwners.Relation: MemberOwners],
        _ listed: [LinkOwners.Relation: [Int64: Int64]]
    ) throws -> Problem? {
        guard let inverse = schema.inverse(of: list.relationship) else { return nil }
        let relation = LinkOwners.Relation(list.relationship)
        let own = own[relation] ?? MemberOwners()
        var present: Set<Int64> = []
        try store.readLinks(of: list.relationship, owners: [list.owner.key]) { present.insert($0.destination) }
        present.formUnion(own.members[list.owner.key] ?? [])
        let root = schema.entities[list.relationship.destination].root
        for member in present.subtracting(list.members).sorted() {
            let row = RowID(root: root, key: member)
            if let other = own.owners[member] {
                // The member's own record sets its owner: another one, or this one.
                if other != list.owner.key { continue }
                if let place = place(row) { return contradiction(list, place) }
            } else if listed[relation]?[member] != nil {
                continue
            }
            if let place = places.position(row, files: files) { return contradiction(list, place) }
            if let place = recordsByObject[row], !isWaiting(place), hasColumn(inverse, place.file) {
                return contradiction(list, place.position(files: files))
            }
            if let violation = inverse.violations(ofCount: 0).first {
                let entity = schema.entities[list.relationship.destination].name
                return problem(
                    list, violation.code,
                    "the list omits \(entity)/p\(member), whose \(inverse.name) is required. To delete it, import the "
                        + "\(entity) objects that stay with --prune", violation.coreDataCode)
            }
        }
        return nil
    }

    private func place(_ row: RowID) -> SourcePosition? {
        places.position(row, files: files) ?? recordsByObject[row]?.position(files: files)
    }

    private func contradiction(_ list: List, _ place: SourcePosition) -> Problem {
        problem(
            list, .relationshipTaken,
            "the list omits an object whose own record (\(place.file):\(place.line)) refers to this one; list it here too, or import without this list",
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
