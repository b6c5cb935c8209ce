import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Objects that only one may hold.
extension ReferenceResolver {
    /// A one-to-one has two ends, and each may be taken.
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

    /// A member of a to-many whose other end is not a to-many has one owner.
    mutating func claimMember(_ index: Int) throws {
        let reference = table.references[Int(resolved[index].reference)]
        let relationship = table.relationship(of: reference)
        if let inverse = schema.inverse(of: relationship), inverse.isToMany { return }
        let holder = try holders.claim(
            relationship, destination: resolved[index].key, owner: resolved[index].owner, place: reference.place)
        guard let holder else { return }
        refuseTaken(reference, resolved[index].key, by: holder)
        resolved[index].isDropped = true
    }

    private func refuseTaken(
        _ reference: ReferenceTable.Reference, _ key: Int64, by holder: LinkHolders.Holder
    ) {
        // A record that is refused anyway claims nothing that another one has.
        if reference.isRejected { return }
        // What was set as it was read is a row's own word; its record is known all the same.
        let relationship = table.relationship(of: reference)
        var early: SourcePosition?
        if holder.place == nil {
            early =
                place(of: RowID(root: schema.entities[relationship.destination].root, key: key))
                ?? place(of: RowID(root: schema.entities[relationship.owner].root, key: holder.owner))
        }
        let who =
            holder.place?.describe(files) ?? early.map { "\($0.file):\($0.line)" }
            ?? "the object p\(holder.owner) in the store"
        var problem = diagnostic(reference, .relationshipTaken, "the object is taken already, by \(who)")
        problem.related = holder.place.map { [$0.position(files: files)] } ?? early.map { [$0] } ?? []
        refuse(reference, problem)
    }

    /// Where the record stands that has made the object or speaks of it.
    private func place(of row: RowID) -> SourcePosition? {
        places.position(row, files: files) ?? claimed[row]?.position(files: files)
    }
}
