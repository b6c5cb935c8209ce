import GranaryBase
import GranaryModel

/// Objects that can have only one owner.
extension ReferenceResolver {
    /// Claims both ends of a one-to-one; false, with the record refused, if one of them has another partner.
    mutating func claimBoth(
        _ number: Int, _ relationship: Schema.Relationship, _ inverse: Schema.Relationship, _ key: Int64
    ) throws -> Bool {
        let reference = table.references[number]
        for (end, destination, owner) in [(relationship, key, reference.owner), (inverse, reference.owner, key)] {
            let holder = try holders.claim(end, destination: destination, owner: owner, place: reference.place)
            guard let holder else { continue }
            refuseTaken(reference, key, by: holder)
            return false
        }
        return true
    }

    /// Claims a member of a to-many, unless the relationship is many-to-many.
    mutating func claimMember(_ index: Int) throws {
        let reference = table.references[Int(resolved[index].reference)]
        let relationship = table.relationship(of: reference)
        if schema.isManyToMany(relationship) { return }
        let holder = try holders.claim(
            relationship, destination: resolved[index].key, owner: resolved[index].owner, place: reference.place)
        guard let holder else { return }
        refuseTaken(reference, resolved[index].key, by: holder)
        resolved[index].isDropped = true
    }

    private func refuseTaken(
        _ reference: ReferenceTable.Reference, _ key: Int64, by holder: LinkHolders.Holder
    ) {
        // The record is refused already.
        if reference.isRejected { return }
        let relationship = table.relationship(of: reference)
        // The record of a link that was resolved while reading.
        var early: SourcePosition?
        if holder.place == nil {
            early =
                place(of: RowID(root: schema.entities[relationship.destination].root, key: key))
                ?? place(of: RowID(root: schema.entities[relationship.owner].root, key: holder.owner))
        }
        let who =
            holder.place?.describe(files) ?? early.map { "\($0.file):\($0.line)" }
            ?? "the object p\(holder.owner) in the store"
        var problem = diagnostic(reference, .relationshipTaken, "the object is already taken by \(who)")
        problem.related = holder.place.map { [$0.position(files: files)] } ?? early.map { [$0] } ?? []
        refuse(reference, problem)
    }

    /// The position of the record that created the object or names it.
    private func place(of row: RowID) -> SourcePosition? {
        places.position(row, files: files) ?? recordsByObject[row]?.position(files: files)
    }
}
