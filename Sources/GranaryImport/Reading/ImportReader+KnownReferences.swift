import GranaryBase
import GranaryCoordination
import GranaryModel

/// Resolves references while their record is read. This is possible if no record of the import is an object of the
/// destination's hierarchy. A lookup then has one outcome from the start: the store has the object, the lookup creates
/// it, or no object has the key.
extension ImportReader {
    /// What a lookup finds.
    enum KnownObject {
        case object(entity: Int32, key: Int64)
        /// The reference is left out (``ImportOptions/MissingPolicy/null``).
        case leftOut
    }

    /// Notes that a nested object becomes a row, so that references to its hierarchy wait from now on.
    ///
    /// - Throws: ``NestedRowFound`` if a reference was resolved already, because it could mean a nested object.
    func expectNestedRow(of entity: Schema.Entity) throws {
        guard context.keyIndexes.isOutsideRecords(entity.index) else { return }
        if known.hasResolved { throw NestedRowFound() }
        known.forgetAnswers()
        context.keyIndexes.addRecords(of: sources.jobs.reduce(into: []) { $0.formUnion($1.entities.nested) })
    }

    /// Whether references are resolved while reading. With keep-good a record that waits can still be
    /// rejected, and then its lookups must not have created objects.
    var resolvesReferences: Bool { stream.isOpen || !rules.keepsGood }

    /// Returns the object of a lookup in a hierarchy without records, and creates it if necessary. Nil means that the
    /// reference must wait, because it has a problem. The problem is reported after reading.
    func knownObject(
        _ indexNumber: Int, _ key: [UInt8], destination: Int, canBeLeftOut: Bool, _ policy: ImportOptions.MissingPolicy,
        at place: RecordLocation
    ) -> KnownObject? {
        if let entry = context.keyIndexes.all[indexNumber].index.find(key) {
            // A created object exists only for references with the policy `create`.
            guard !entry.isMade || policy == .create else { return policy == .null && canBeLeftOut ? .leftOut : nil }
            guard entry.sharing == .none, !entry.isRejected,
                schema.entity(Int(entry.entity), isKindOf: destination)
            else { return nil }
            return .object(entity: entry.entity, key: entry.key)
        }
        switch policy {
        case .error: return nil
        case .null: return canBeLeftOut ? .leftOut : nil
        case .create:
            return known.made.make(indexNumber, key, destination: destination, &context.keyIndexes, at: place)
                .map { .object(entity: $0.entity, key: $0.key) }
        }
    }

    /// Resolves the waiting references of the current record, which has no errors, if the objects of all are known.
    ///
    /// - Parameter row: the first row of the record.
    func resolveKnownReferences(of row: Int, _ job: ResolvedJob) {
        guard resolvesReferences, context.hasWaiting, batch.rows.rows.count == row + 1, canSetLists(of: row),
            !job.options.restoresAsIs, job.linkRelationship == nil,
            !rules.keepsGood || !rules.keepsIdentifiers || context.identifier.isEmpty,
            !goesThroughObjects(schema.entities[Int(batch.rows.rows[row].entity)])
        else { return }
        let madeBefore = known.made.count
        var found: [KnownObject?] = []
        for reference in context.postponed {
            guard let known = known(reference, row) else {
                return known.made.remove(from: madeBefore, &context.keyIndexes)
            }
            found.append(known)
        }
        for (reference, known) in zip(context.postponed, found) {
            batch.noteKnown(context.references.relationship(of: reference), row: row)
            if let known { set(reference, to: known, row, job) }
        }
        context.dropWaiting()
        known.hasResolved = true
    }

    /// Whether known references of a row are set while reading. The lists of a stored object that records of several
    /// jobs can name are set once, after reading.
    private func canSetLists(of row: Int) -> Bool {
        guard let merge = batch.merge(of: row) else { return true }
        return stream.isOpen && !current.nests && !merge.isShared
            && !current.laterRoots.contains(schema.entities[Int(batch.rows.rows[row].entity)].root)
    }

    /// - Returns: nil if the reference must wait; `.some(nil)` for an empty list.
    private func known(_ reference: ReferenceTable.Reference, _ row: Int) -> KnownObject?? {
        let relationship = context.references.relationship(of: reference)
        guard reference.owner == batch.rows.rows[row].key, resolvesAtOnce(relationship, of: Int(reference.entity))
        else {
            return nil
        }
        switch reference.target {
        case .nothing: return .some(nil)
        case .key(let indexNumber):
            context.loadKey(of: reference)
            guard
                let known = knownObject(
                    Int(indexNumber), context.key, destination: relationship.destination,
                    canBeLeftOut: relationship.isToMany || relationship.violations(ofCount: 0).isEmpty,
                    reference.policy, at: context.place)
            else { return nil }
            return .some(known)
        case .keyOrIdentifier, .identifier, .object: return nil
        }
    }

    /// Whether the objects of an object's relationship are known while reading, and nothing else depends on them: no
    /// list at the other end, no count at either end, no natural key.
    func resolvesAtOnce(_ relationship: Schema.Relationship, of entity: Int) -> Bool {
        if let known = known.atOnce[entity][relationship.slot] { return known }
        let answer = canResolveAtOnce(relationship, of: entity)
        known.atOnce[entity][relationship.slot] = answer
        return answer
    }

    private func canResolveAtOnce(_ relationship: Schema.Relationship, of entity: Int) -> Bool {
        guard context.keyIndexes.isOutsideRecords(relationship.destination),
            schema.inverse(of: relationship).map({ !$0.isToMany || !$0.hasCountRule }) ?? true
        else { return false }
        if relationship.isToMany { return schema.isManyToMany(relationship) && !relationship.hasCountRule }
        return !schema.isOneToOne(relationship)
            && !context.keyIndexes.keySlots(of: schema.entities[entity]).contains(relationship.slot)
    }

    private func set(_ reference: ReferenceTable.Reference, to known: KnownObject, _ row: Int, _ job: ResolvedJob) {
        let relationship = context.references.relationship(of: reference)
        guard case .object(let entity, let key) = known else {
            return noteLeftOut(relationship, entity: Int(reference.entity), job)
        }
        guard relationship.isToMany else {
            batch.rows[row, relationship.slot] = .reference(key: key, entity: entity)
            return
        }
        let link = ParsedRows.ListedLink(relationship, entity: entity, destination: key)
        guard !batch.add(link, to: row) else { return }
        context.diagnostics.append(
            LinkWriter.repeatedMember(
                relationship, schema.entities[Int(reference.entity)],
                at: reference.place.position(files: sources.files),
                field: context.references.field(of: reference)))
    }

    /// Counts a reference that is left out.
    func noteLeftOut(_ relationship: Schema.Relationship, entity: Int, _ job: ResolvedJob) {
        known.leftOut[
            KnownObjects.LeftOutPlace(job: job.number, entity: entity, property: relationship.name), default: 0] += 1
    }
}
