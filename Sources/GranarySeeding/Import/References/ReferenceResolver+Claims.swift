import GranaryBase
import GranaryModel
import GranaryPersistence

/// Objects that only one may hold.
extension ReferenceResolver {
    /// A one-to-one has two ends, and each may be taken.
    mutating func claimBoth(
        _ number: Int, _ relationship: Schema.Relationship, _ inverse: Schema.Relationship, _ key: Int64
    ) throws -> Bool {
        let reference = table.references[number]
        for (end, destination, owner) in [(relationship, key, reference.owner), (inverse, reference.owner, key)] {
            let claim = try holders.claim(end, destination: destination, owner: owner, place: reference.place)
            guard take(claim, number, key) else {
                return false
            }
        }
        return true
    }

    /// Whether a claim is granted; one that rests on others' records is remembered.
    mutating func take(_ claim: LinkHolders.Claim, _ number: Int, _ key: Int64) -> Bool {
        switch claim {
        case .free: return true
        case .released(let holder, let records):
            reliant.append((number, key, holder, records))
            return true
        case .held(let holder):
            // What is refused anyway claims nothing.
            if table.references[number].isRejected { return false }
            taken(table.references[number], key, by: holder)
            return false
        }
    }

    /// Refuses records that have what others were to let go of, where those are refused.
    ///
    /// - Returns: whether there were any.
    mutating func refuseReliant() -> Bool {
        var found = false
        for (number, key, holder, records) in reliant {
            let reference = table.references[number]
            guard records.allSatisfy(rejects.records.contains), !rejects.records.contains(RecordID(reference.place)),
                !reference.isRejected
            else { continue }
            taken(reference, key, by: LinkHolders.Holder(owner: holder, place: nil))
            found = true
        }
        return found
    }

    /// A member of a to-many whose other end is not a to-many has one owner.
    mutating func claimMember(_ index: Int) throws {
        let reference = table.references[Int(resolved[index].reference)]
        let relationship = table.relationship(of: reference)
        if let inverse = inverse(of: relationship), inverse.isToMany { return }
        let claim = try holders.claim(
            relationship, destination: resolved[index].key, owner: resolved[index].owner, place: reference.place)
        if !take(claim, Int(resolved[index].reference), resolved[index].key) { resolved[index].isDropped = true }
    }

    mutating func taken(_ reference: ReferenceTable.Reference, _ key: Int64, by holder: LinkHolders.Holder) {
        // What was set as it was read is in the store already; its record is known all the same.
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
    func place(of row: RowID) -> SourcePosition? {
        places.position(row, files: files) ?? claimed[row]?.position(files: files)
    }
}
