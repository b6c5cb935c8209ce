import GranaryBase
import GranaryModel

/// Objects that can have only one owner.
extension ReferenceResolver {
    /// A reference to an object that another owner has.
    private struct Conflict {
        /// An index into the resolved references.
        let index: Int
        let holder: LinkOwners.Holder
    }

    /// Makes the owner of each accepted reference the owner of the referenced object. If the object has another owner,
    /// the record of the reference is rejected.
    ///
    /// With keep-good a rejected record owns nothing.
    ///
    /// - Parameter defers: whether the decision waits for the next round if the record of the other owner is in
    ///   conflict too and may be rejected.
    mutating func claim(defers: Bool) throws {
        let claiming = table.relationships.map(claims)
        guard claiming.contains(true) else { return }
        // The references of accepted records replace the links that the store has.
        for reference in table.references
        where claiming[Int(reference.relationship)] && !reference.isLink && !isRejected(reference) {
            holders.restate(table.relationship(of: reference), owner: reference.owner)
        }
        var conflicts: [Conflict] = []
        var members: [Int] = []
        for index in resolved.indices where resolved[index].entity >= 0 && !resolved[index].isDropped {
            let reference = table.references[Int(resolved[index].reference)]
            if !claiming[Int(reference.relationship)] || reference.isRejected && keepsGood { continue }
            let relationship = table.relationship(of: reference)
            if relationship.isToMany {
                members.append(index)
            } else if let conflict = try claimToOne(index, reference, relationship) {
                note(conflict, &conflicts)
            }
        }
        // After the to-ones, so that contradictions between a list and its members' own fields are found.
        for index in members { if let conflict = try claimMember(index) { note(conflict, &conflicts) } }
        try reject(conflicts, defers: defers && keepsGood)
    }

    private func record(of conflict: Conflict) -> RecordID {
        RecordID(table.references[Int(resolved[conflict.index].reference)].place)
    }

    private mutating func note(_ conflict: Conflict, _ conflicts: inout [Conflict]) {
        conflicts.append(conflict)
        if keepsGood { holders.release(record(of: conflict)) }
    }

    private mutating func claimToOne(
        _ index: Int, _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship
    ) throws -> Conflict? {
        guard let inverse = schema.inverse(of: relationship) else { return nil }
        let one = resolved[index]
        guard !inverse.isToMany else {
            holders.note(inverse, destination: one.owner, owner: one.key, place: reference.place)
            return nil
        }
        // The ends of a restored one-to-one are stored as their records have them.
        if restores { return nil }
        for (end, destination, owner) in [(relationship, one.key, one.owner), (inverse, one.owner, one.key)] {
            let holder = try holders.claim(end, destination: destination, owner: owner, place: reference.place)
            if let holder { return Conflict(index: index, holder: holder) }
        }
        return nil
    }

    /// Claims a member of a to-many.
    private mutating func claimMember(_ index: Int) throws -> Conflict? {
        let one = resolved[index]
        let reference = table.references[Int(one.reference)]
        let relationship = table.relationship(of: reference)
        let holder = try holders.claim(
            relationship, destination: one.key, owner: one.owner, place: reference.place)
        return holder.map { Conflict(index: index, holder: $0) }
    }

    /// Whether an object can have only one owner in the relationship, or lists at the other end must agree with it.
    private func claims(_ relationship: Schema.Relationship) -> Bool {
        if relationship.isToMany { return !schema.isManyToMany(relationship) }
        guard let inverse = schema.inverse(of: relationship) else { return false }
        return !inverse.isToMany || lists(inverse)
    }

    /// Whether a record has a list of the relationship.
    private func lists(_ relationship: Schema.Relationship) -> Bool {
        table.relationships.contains { LinkOwners.Relation($0) == LinkOwners.Relation(relationship) }
    }

    /// Whether references claim objects, so that the result depends on which records are accepted.
    var claimsObjects: Bool {
        table.relationships.contains { relationship in
            relationship.isToMany ? !schema.isManyToMany(relationship) : schema.isOneToOne(relationship)
        }
    }

    private mutating func reject(_ conflicts: [Conflict], defers: Bool) throws {
        var decided = conflicts
        if defers {
            let records = Set(conflicts.map { record(of: $0) })
            decided = conflicts.filter { $0.holder.place.map { !records.contains(RecordID($0)) } ?? true }
            // If records are only in conflict with each other, the earlier ones stay.
            if decided.isEmpty, let last = records.max() { decided = conflicts.filter { record(of: $0) == last } }
        }
        for conflict in decided {
            let one = resolved[conflict.index]
            try rejectTaken(table.references[Int(one.reference)], one.key, by: conflict.holder)
        }
        for conflict in conflicts { resolved[conflict.index].isDropped = true }
    }

    private func rejectTaken(
        _ reference: ReferenceTable.Reference, _ key: Int64, by holder: LinkOwners.Holder
    ) throws {
        // The record is rejected already.
        if reference.isRejected { return }
        let relationship = table.relationship(of: reference)
        // The record of a link that was resolved while reading.
        var early: SourcePosition?
        if holder.place == nil {
            early =
                place(of: RowID(root: schema.entities[relationship.destination].root, key: key))
                ?? place(of: RowID(root: schema.entities[relationship.owner].root, key: holder.owner))
        }
        let destination = schema.entities[relationship.destination]
        var who = holder.place?.describe(files) ?? early.map { "\($0.file):\($0.line)" }
        var object = "the object"
        var help: String?
        if who == nil {
            let owner = try holders.name(of: holder.owner, root: schema.entities[relationship.owner].root)
            who = (owner ?? "p\(holder.owner)") + " in the store"
            object = try holders.name(of: key, root: destination.root) ?? object
            help = moveHelp(reference, relationship)
        }
        var problem = diagnostic(reference, .relationshipTaken, "\(object) is already taken by \(who ?? "")")
        problem.help = help
        problem.related = holder.place.map { [$0.position(files: files)] } ?? early.map { [$0] } ?? []
        reject(reference, problem)
    }

    /// How an import that changes stored objects moves an object to another owner.
    private func moveHelp(
        _ reference: ReferenceTable.Reference, _ relationship: Schema.Relationship
    ) -> String? {
        guard read.sources.job(of: RecordID(reference.place)).findsByKey else { return nil }
        // A link adds to the list of the present owner, and removes nothing from it.
        let owner = "import the record of the present owner too, with the \(relationship.name) that it keeps"
        let end = schema.inverse(of: relationship).map {
            "set \(schema.entities[relationship.destination].name).\($0.name) in the record of the object"
        }
        let ways = [reference.isLink ? nil : owner, end].compactMap(\.self)
        return ways.isEmpty ? nil : ways.joined(separator: ", or ")
    }

    /// The position of the record that created the object or names it.
    private func place(of row: RowID) -> SourcePosition? {
        read.places.position(row, files: files) ?? read.keys.recordsByObject[row]?.position(files: files)
    }
}
