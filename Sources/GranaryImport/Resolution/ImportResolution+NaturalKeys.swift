import GranaryBase
import GranaryCoordination
import GranaryModel

/// The natural keys that objects will have after the import.
extension ImportResolution {
    /// Rebuilds the indexes whose keys records change, and rejects records that set a unique key which another object
    /// keeps.
    func refreshKeys() throws {
        freed = []
        for index in read.keys.stale {
            let keyIndex = keyIndexes.all[index]
            guard !keyIndex.slots.contains(where: { schema.isReference($0, of: keyIndex.owner) }) else { continue }
            try refresh(index, keyIndex)
        }
    }

    private func refresh(_ index: Int, _ keyIndex: KeyIndexes.KeyIndex) throws {
        var builder = NaturalKeyIndexBuilder(isUnique: keyIndex.isUnique) { [unowned self] in
            rejectDuplicate(keyIndex, index, $0)
        }
        var before: [(row: RowID, key: [UInt8], record: RecordID)] = []
        let family = schema.entities[keyIndex.owner].family
        let rejectedKeys = read.keys.rejectedKeys[index] ?? []
        if keyIndex.isUnique {
            // The unique keys of a rejected record stay taken.
            for (key, entry) in rejectedKeys where !entry.yields {
                guard let place = entry.place else { continue }
                builder.addRejectedUnique(key, entry.entity, at: place)
            }
        }
        let rows = ResultingRows(schema: schema, store: store, spool: read.spool, rejected: rejected)
        try rows.forEach(of: family, slots: keyIndex.slots, hasDigests: !keyIndex.isUnique) { row, batch, digest in
            var key: [UInt8] = []
            let hasKey = KeyIndexes.appendKey(of: row.index, in: batch, slots: keyIndex.slots, to: &key)
            if keyIndex.isUnique, !row.isNew, let place = row.place, let old = row.before, old != key {
                before.append((row.id, old, RecordID(place)))
            }
            guard hasKey else { return }
            // A record that repeats the stored value causes no conflict.
            builder.add(
                key, entity: batch.rows[row.index].entity, object: row.id.key, digest: digest,
                at: row.before == key ? nil : row.place, isNew: row.isNew)
        }
        builder.finish()
        for (key, entry) in rejectedKeys
        where (!keyIndex.isUnique || entry.yields) && builder.index.findIndex(key) == nil {
            builder.addRejected(key, entry)
        }
        for (row, key, record) in before {
            guard let entry = builder.index.find(key), entry.key != row.key else { continue }
            freed.append(FreedKey(row: row, slots: keyIndex.slots, record: record))
        }
        keyIndexes.replace(index, by: builder.index)
    }

    private func rejectDuplicate(
        _ keyIndex: KeyIndexes.KeyIndex, _ index: Int, _ conflict: NaturalKeyIndexBuilder.Conflict
    ) {
        let record = RecordID(conflict.place)
        guard !rejected.contains(record) else { return }
        let entity = schema.entities[conflict.entity]
        var problem = read.sources.duplicate(
            keyIndex, conflict.other, entity, jobNumber: read.sources.jobOfFile[Int(record.file)])
        let known = read.uses.conflictPlaces[RecordConflict(record: record, indexNumber: index)]
        problem.position = (known?.place ?? conflict.place).position(files: read.sources.files)
        problem.field = known?.field
        reject(record, problem)
    }

    // MARK: Constraints with a to-one

    /// Rejects records whose references violate a uniqueness constraint.
    func checkUniqueReferences(_ toOnes: SpooledToOnes) throws {
        for (index, keyIndex) in keyIndexes.all.enumerated() where keyIndex.isUnique {
            let slots = keyIndex.slots.filter { schema.isReference($0, of: keyIndex.owner) }
            guard !slots.isEmpty else { continue }
            var waiting: [RowID: [Int: ReferenceResolver.Resolved]] = [:]
            let root = schema.entities[keyIndex.owner].root
            for one in resolver.resolved where counts(one) {
                let relationship = resolver.table.relationship(
                    of: resolver.table.references[Int(one.reference)])
                guard schema.entities[Int(one.ownerEntity)].root == root, slots.contains(relationship.slot),
                    !relationship.isToMany
                else { continue }
                waiting[RowID(root: root, key: one.owner), default: [:]][relationship.slot] = one
            }
            guard !waiting.isEmpty || read.keys.stale.contains(index) else { continue }
            try checkUnique(keyIndex, waiting)
        }
    }

    private func checkUnique(
        _ keyIndex: KeyIndexes.KeyIndex, _ waiting: [RowID: [Int: ReferenceResolver.Resolved]]
    ) throws {
        let table = resolver.table
        let root = schema.entities[keyIndex.owner].root
        var builder = NaturalKeyIndexBuilder(isUnique: true) { [unowned self] conflict in
            let one = waiting[RowID(root: root, key: conflict.object)]?.values.first
            let reference = one.map { table.references[Int($0.reference)] }
            reject(
                RecordID(conflict.place),
                Diagnostic(
                    .uniqueDuplicate,
                    "with this reference another object has the same unique values: "
                        + keyIndex.names.joined(separator: ", "),
                    at: (reference?.place ?? conflict.place).position(files: read.sources.files),
                    field: reference.flatMap { table.field(of: $0) }, entity: schema.entities[conflict.entity].name,
                    property: reference.map { table.relationship(of: $0).name } ?? keyIndex.names.first,
                    coreDataCode: 1551))
        }
        let rows = ResultingRows(schema: schema, store: store, spool: read.spool, rejected: rejected)
        try rows.forEach(of: schema.entities[keyIndex.owner].family, slots: keyIndex.slots) { row, batch, _ in
            var key: [UInt8] = []
            var place = row.place
            let own = waiting[row.id]
            for slot in keyIndex.slots {
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
