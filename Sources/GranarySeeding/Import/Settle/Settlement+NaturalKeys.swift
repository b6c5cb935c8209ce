import GranaryBase
import GranaryCoordination
import GranaryModel

/// A stored object whose unique values another object takes over in the same import.
struct FreedKey {
    let row: RowID
    let slots: [Int]
    /// The last record that sets one of the slots.
    let record: RecordID
}

/// The natural keys that objects will have after the import.
extension Settlement {
    /// Rebuilds the indexes whose keys records change, and refuses records that set a unique key which another object
    /// keeps.
    func refreshKeys() throws {
        freed = []
        for index in keys.stale {
            let tracked = intake.context.naturalKeys.tracked[index]
            guard !tracked.slots.contains(where: { schema.isReference($0, of: tracked.owner) }) else { continue }
            try refresh(index, tracked)
        }
    }

    private func refresh(_ index: Int, _ tracked: NaturalKeys.Tracked) throws {
        var builder = NaturalKeyIndexBuilder(isUnique: tracked.isUnique) { [unowned self] in
            refuseDuplicate(tracked, index, $0)
        }
        var before: [(row: RowID, key: [UInt8], record: RecordID)] = []
        let family = schema.entities[tracked.owner].family
        let rejected = keys.rejected[index] ?? []
        if tracked.isUnique {
            // The unique keys of a refused record stay taken.
            for (key, entry) in rejected {
                guard let place = entry.place else { continue }
                builder.addRefused(key, entry.entity, at: place)
            }
        }
        let rows = ResultingRows(schema: schema, store: store, spool: spool, refused: refused)
        try rows.forEach(of: family, slots: tracked.slots, hasDigests: !tracked.isUnique) { row, batch, digest in
            var key: [UInt8] = []
            let hasKey = NaturalKeys.appendKey(of: row.index, in: batch, slots: tracked.slots, to: &key)
            if tracked.isUnique, !row.isNew, let place = row.place, let old = row.before, old != key {
                before.append((row.id, old, RecordID(place)))
            }
            guard hasKey else { return }
            // A record that repeats the stored value causes no conflict.
            builder.add(
                key, entity: batch.rows[row.index].entity, object: row.id.key, digest: digest,
                at: row.before == key ? nil : row.place, isNew: row.isNew)
        }
        builder.finish()
        if !tracked.isUnique {
            for (key, entry) in rejected where builder.index.findIndex(key) == nil { builder.addRejected(key, entry) }
        }
        for (row, key, record) in before {
            guard let entry = builder.index.find(key), entry.key != row.key else { continue }
            freed.append(FreedKey(row: row, slots: tracked.slots, record: record))
        }
        intake.context.naturalKeys.replace(index, by: builder.index)
    }

    private func refuseDuplicate(
        _ tracked: NaturalKeys.Tracked, _ index: Int, _ conflict: NaturalKeyIndexBuilder.Conflict
    ) {
        let record = RecordID(conflict.place)
        guard !refused.contains(record) else { return }
        let entity = schema.entities[conflict.entity]
        var problem = intake.duplicate(
            tracked, conflict.twin, entity, jobNumber: intake.jobOfFile[Int(record.file)])
        let known = intake.conflictPlaces[RecordConflict(record: record, tracked: index)]
        problem.position = (known?.place ?? conflict.place).position(files: intake.files)
        problem.field = known?.field
        refuse(record, problem)
    }

    // MARK: Constraints with a to-one

    /// Refuses records whose references violate a uniqueness constraint.
    func checkUniqueReferences(_ toOnes: SpooledToOnes) throws {
        for (index, tracked) in intake.context.naturalKeys.tracked.enumerated() where tracked.isUnique {
            let slots = tracked.slots.filter { schema.isReference($0, of: tracked.owner) }
            guard !slots.isEmpty else { continue }
            var waiting: [RowID: [Int: ReferenceResolver.Resolved]] = [:]
            let root = schema.entities[tracked.owner].root
            for one in resolver.resolved where counts(one) {
                let relationship = resolver.table.relationship(
                    of: resolver.table.references[Int(one.reference)])
                guard schema.entities[Int(one.ownerEntity)].root == root, slots.contains(relationship.slot),
                    !relationship.isToMany
                else { continue }
                waiting[RowID(root: root, key: one.owner), default: [:]][relationship.slot] = one
            }
            guard !waiting.isEmpty || keys.stale.contains(index) else { continue }
            try checkUnique(tracked, waiting)
        }
    }

    private func checkUnique(
        _ tracked: NaturalKeys.Tracked, _ waiting: [RowID: [Int: ReferenceResolver.Resolved]]
    ) throws {
        let table = resolver.table
        let root = schema.entities[tracked.owner].root
        var builder = NaturalKeyIndexBuilder(isUnique: true) { [unowned self] conflict in
            let one = waiting[RowID(root: root, key: conflict.object)]?.values.first
            let reference = one.map { table.references[Int($0.reference)] }
            refuse(
                RecordID(conflict.place),
                Diagnostic(
                    .uniqueDuplicate,
                    "with this reference another object has the same unique values: "
                        + tracked.names.joined(separator: ", "),
                    at: (reference?.place ?? conflict.place).position(files: intake.files),
                    field: reference.flatMap { table.field(of: $0) }, entity: schema.entities[conflict.entity].name,
                    property: reference.map { table.relationship(of: $0).name } ?? tracked.names.first,
                    coreDataCode: 1551))
        }
        let rows = ResultingRows(schema: schema, store: store, spool: spool, refused: refused)
        try rows.forEach(of: schema.entities[tracked.owner].family, slots: tracked.slots) { row, batch, _ in
            var key: [UInt8] = []
            var place = row.place
            let own = waiting[row.id]
            for slot in tracked.slots {
                var cell = batch[row.index, slot]
                if let one = own?[slot] {
                    cell = one.entity < 0 ? .null : .reference(key: one.key, entity: one.entity)
                    let reference = table.references[Int(one.reference)]
                    if place.map({ RecordID($0) < RecordID(reference.place) }) ?? true { place = reference.place }
                }
                guard NaturalKeyBytes.append(cell, of: batch, to: &key) else { return }
            }
            builder.add(
                key, entity: batch.rows[row.index].entity, object: row.id.key, digest: 0, at: place, isNew: row.isNew)
        }
        builder.finish()
    }
}

extension Schema {
    /// Whether the slot of an entity belongs to a relationship.
    func isReference(_ slot: Int, of entity: Int) -> Bool {
        entities[entity].relationships.contains { $0.slot == slot }
    }
}
