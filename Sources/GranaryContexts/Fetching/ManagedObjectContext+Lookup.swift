import GranaryBase
public import GranaryCoordination
import GranaryModel

/// Objects by their IDs, and the objects of rows.
extension ManagedObjectContext {
    /// Returns the object with an ID: the registered one, otherwise a new fault. Nothing is read, so the object may not
    /// exist; reading a value of the fault then deletes it here (``shouldDeleteInaccessibleFaults``). (`object(with:)`)
    public func object(with id: ManagedObjectID) -> ManagedObject {
        registeredObject(for: id) ?? makeFault(for: id)
    }

    /// Returns the object with an ID and its values: the registered object, even if it is deleted, otherwise an object
    /// read from the store or the parent. (`existingObject(with:)`)
    ///
    /// - Throws: ``GranaryError``: `object.gone` (133000) if the object does not exist; an error if the store cannot be
    ///   read or contradicts the model.
    public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
        if let object = registeredObject(for: id) {
            if object.isGoneFromStore { throw gone(id) }
            if !object.isDeleted { try object.fire() }
            return object
        }
        guard let object = try objects(with: [id]).first else { throw gone(id) }
        try object.fire()
        return object
    }

    /// Returns the registered object with an ID, otherwise reads it from the store. Returns nil if the store does not
    /// have it, it is deleted here, or the ID belongs to another store. A registered fault is not looked up again.
    ///
    /// - Throws: ``GranaryError`` if the store cannot be read or contradicts the model.
    package func lookUpObject(with id: ManagedObjectID) throws -> ManagedObject? {
        if let object = registeredObject(for: id), !object.isUnverified { return object.isDeleted ? nil : object }
        return try objects(with: [id]).first
    }

    /// Returns the objects with several IDs, in the order of the IDs, read together. Missing objects are left out.
    ///
    /// - Throws: as ``existingObject(with:)``, except for missing objects.
    public func objects(with ids: [ManagedObjectID]) throws -> [ManagedObject] {
        var unverified: Set<ManagedObjectID> = []
        let unknown = ids.filter { id in
            guard let object = registeredObject(for: id) else { return true }
            guard object.isUnverified else { return false }
            unverified.insert(id)
            return true
        }
        let found = try realize(unknown)
        if !unverified.isEmpty { unverified.subtract(found.map(\.objectID)) }
        return withExtendedLifetime(found) {
            ids.compactMap { id in
                registeredObject(for: id).flatMap { $0.isDeleted || unverified.contains(id) ? nil : $0 }
            }
        }
    }

    /// Creates the objects of unregistered IDs. Only the caller retains them.
    private func realize(_ ids: [ManagedObjectID]) throws -> [ManagedObject] {
        guard !ids.isEmpty else { return [] }
        if let parent {
            return try parent.objects(with: ids).map { object(like: $0) }
        }
        return try read(ids).flatMap(rows).map { object(for: $0) }
    }

    /// Reads rows by their IDs; missing objects and IDs of other stores are left out.
    func read(_ ids: [ManagedObjectID]) throws -> [SharedBatch] {
        var result: [SharedBatch] = []
        for (identifier, ids) in Dictionary(grouping: ids, by: \.origin.identifier).sorted(by: { $0.key < $1.key }) {
            guard let store = persistentStoreCoordinator.store(withIdentifier: identifier) else { continue }
            let ours = ids.filter { !$0.isTemporaryID && persistentStoreCoordinator.hasSameModel($0) }
            for (root, ids) in Dictionary(grouping: ours, by: \.root).sorted(by: { $0.key < $1.key }) {
                for start in stride(from: 0, to: ids.count, by: 500) {
                    let keys = ids[start..<min(start + 500, ids.count)].compactMap(\.key)
                    let mark = readMark
                    let batch = try reading(store) { try $0.read(root: root, keys: keys) }
                    result.append(try share(batch, of: store, read: mark))
                }
            }
        }
        return result
    }

    /// The time at which rows are read. Take it before reading, so that a save in between makes the rows stale.
    struct ReadMark {
        let generation: Int
        let instant: ContinuousClock.Instant
    }

    var readMark: ReadMark { ReadMark(generation: generation, instant: .now) }

    /// Checks rows of a store and returns them.
    ///
    /// - Throws: ``GranaryError`` (`store.corrupt`).
    func share(_ batch: RowBatch, of store: PersistentStore, read mark: ReadMark) throws -> SharedBatch {
        let coding = RowCoding(identity: store.identity)
        var batch = batch
        for row in batch.rows.indices {
            let header = batch.rows[row]
            guard layouts.all.indices.contains(Int(header.entity)) else {
                throw GranaryError(
                    Diagnostic(.storeCorrupt, "the object with the key \(header.key) has no entity of the model"))
            }
            try coding.check(&batch, row: row, layout: layouts[Int(header.entity)])
        }
        return SharedBatch(
            batch, identity: store.identity, readAt: mark.instant, generation: mark.generation)
    }

    func rows(_ shared: SharedBatch) -> [StoredRow] { shared.batch.rows.indices.map { row(shared, $0) } }

    func row(_ shared: SharedBatch, _ index: Int) -> StoredRow {
        StoredRow(
            shared: shared, index: index,
            layout: layouts[Int(shared.batch.rows[index].entity)])
    }

    /// Returns the registered object of a row, or a new fault.
    func object(for row: StoredRow) -> ManagedObject {
        if let object = registeredObject(for: row.id) { return updated(object, with: row) }
        return makeUnregistered(row)
    }

    /// Gives the row of a registered object to it, if it is a fault.
    func updated(_ object: ManagedObject, with row: StoredRow) -> ManagedObject {
        if object.isFault, !object.isInserted {
            object.row = row
            object.version = row.version
        }
        return object
    }

    /// Returns the object with the ID of a parent's object.
    func object(like original: ManagedObject) -> ManagedObject {
        registeredObject(for: original.objectID)
            ?? makeObject(
                original.layout, id: original.objectID, version: original.version,
                row: original.hasChanges ? nil : original.row)
    }

    /// Sorts IDs by their keys; new objects are last, in the order they were inserted.
    func sorted(_ ids: [ManagedObjectID]) -> [ManagedObjectID] {
        ids.sorted { left, right in
            switch (left.key, right.key) {
            case (let left?, let right?): left < right
            case (_?, nil): true
            case (nil, _?): false
            case (nil, nil): number(left) < number(right)
            }
        }
    }

    private func number(_ id: ManagedObjectID) -> Int {
        registeredObject(for: id)?.insertionNumber ?? parent?.number(id) ?? Int.max
    }
}
