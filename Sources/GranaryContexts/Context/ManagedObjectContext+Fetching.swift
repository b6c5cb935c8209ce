import GranaryBase
public import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// The objects that a request describes, as the context has them: what was changed here is seen as changed, what was
    /// deleted here is left out.
    ///
    /// All rows of the entity are read when there is a predicate or an order.
    ///
    /// - Complexity: O(*n* log *n*) in the number of stored objects when there is an order, else O(*n*).
    ///
    /// - Throws: ``GranaryError``: `refused` when there is no such entity, or the store holds what the model does not
    ///   allow (`store.corrupt`); `usage` for a key path that the entity does not have; what reading from the store
    ///   throws.
    public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
        try mergePendingSaves()
        let search = try FetchSearch(request, context: self)
        let objects = try search.objects()
        if !request.returnsObjectsAsFaults { try fulfill(objects) }
        return objects
    }

    /// Calls `body` with one object after the other, while only a batch of rows is in memory. Objects that nobody holds
    /// go away after their turn.
    ///
    /// Rows are read in batches of ``FetchRequest/fetchBatchSize``; what others save meanwhile may be seen by later
    /// batches. With an order, and in a child context, all objects are read first to find their order, and their IDs stay.
    ///
    /// - Throws: as ``fetch(_:)``, and what `body` throws.
    public func enumerate(_ request: FetchRequest, _ body: (ManagedObject) throws -> Void) throws {
        try mergePendingSaves()
        try FetchSearch(request, context: self).enumerate(body)
    }

    /// The IDs of the objects that a request describes, in the request's order; no object stays that was not there.
    ///
    /// - Throws: as ``fetch(_:)``.
    public func fetchObjectIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
        try mergePendingSaves()
        return try FetchSearch(request.withoutRefreshing, context: self).ids()
    }

    /// How many objects ``fetch(_:)`` would give; offset and limit count. (`count(for:)`)
    ///
    /// - Throws: as ``fetch(_:)``.
    public func count(for request: FetchRequest) throws -> Int {
        try mergePendingSaves()
        return try FetchSearch(request.withoutRefreshing, context: self).count()
    }

    /// All objects of an entity and its subentities: stored ones by their keys, then new ones in the order they were
    /// inserted.
    ///
    /// - Throws: as ``fetch(_:)``.
    public func fetchAll(_ entityName: String) throws -> [ManagedObject] { try fetch(FetchRequest(entityName)) }

    /// How many objects ``fetchAll(_:)`` would give, without reading them.
    ///
    /// - Throws: as ``fetch(_:)``.
    public func count(_ entityName: String) throws -> Int { try count(for: FetchRequest(entityName)) }

    /// The object with an ID: the registered one, otherwise a new fault. Nothing is read, so the store may not have the
    /// object; reading a value of the fault then throws 133000. (`object(with:)`)
    public func object(with id: ManagedObjectID) -> ManagedObject {
        registeredObject(for: id) ?? makeFault(for: id)
    }

    /// The object with an ID, with its values: the registered one, even when it is deleted; otherwise it is read from the
    /// store or the parent. (`existingObject(with:)`)
    ///
    /// - Throws: ``GranaryError``: `object.gone` (133000) when there is no such object, or no longer; when the store cannot
    ///   be read or holds what the model does not allow.
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

    /// The object of an ID: the one that the context knows, otherwise read from the store. Nil when the store has none,
    /// when it is deleted here, and for an ID of another store. A fault that the context knows already is not looked up
    /// again.
    ///
    /// - Throws: ``GranaryError`` when the store cannot be read or holds what the model does not allow.
    package func lookUpObject(with id: ManagedObjectID) throws -> ManagedObject? {
        if let object = registeredObject(for: id), !object.isUnverified { return object.isDeleted ? nil : object }
        return try objects(with: [id]).first
    }

    /// The objects of several IDs, in their order, read in one go; those that do not exist are left out.
    ///
    /// - Throws: as ``existingObject(with:)``, but for missing objects.
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

    /// Makes the objects of IDs that the context does not know yet. Nobody but the caller holds them.
    private func realize(_ ids: [ManagedObjectID]) throws -> [ManagedObject] {
        guard !ids.isEmpty else { return [] }
        if let parent {
            return try parent.objects(with: ids).map { object(like: $0) }
        }
        return try read(ids).flatMap { shared in shared.batch.rows.indices.map { object(for: self.row(shared, $0)) } }
    }

    /// Reads rows by their IDs; those that do not exist, and those of other stores, are left out.
    func read(_ ids: [ManagedObjectID]) throws -> [SharedBatch] {
        var result: [SharedBatch] = []
        for (identifier, ids) in Dictionary(grouping: ids, by: \.origin.identifier).sorted(by: { $0.key < $1.key }) {
            guard let store = persistentStoreCoordinator.store(withIdentifier: identifier) else { continue }
            let ours = ids.filter { !$0.isTemporaryID && persistentStoreCoordinator.hasSameModel($0) }
            for (root, ids) in Dictionary(grouping: ours, by: \.root).sorted(by: { $0.key < $1.key }) {
                for start in stride(from: 0, to: ids.count, by: 500) {
                    let keys = ids[start..<min(start + 500, ids.count)].compactMap(\.key)
                    let mark = readMark
                    let batch = try store.withLock { try $0.read(root: root, keys: keys) }
                    result.append(try share(batch, of: store, read: mark))
                }
            }
        }
        return result
    }

    /// When rows are read. To be asked for before they are: a save in between makes them old.
    struct ReadMark {
        let generation: Int
        let instant: ContinuousClock.Instant
    }

    var readMark: ReadMark { ReadMark(generation: persistentStoreCoordinator.generation, instant: .now) }

    /// Rows of a store, checked.
    ///
    /// - Throws: ``GranaryError`` (`store.corrupt`).
    func share(_ batch: RowBatch, of store: AttachedStore, read mark: ReadMark) throws -> SharedBatch {
        let coding = RowCoding(identity: store.identity)
        for row in batch.rows.indices {
            let header = batch.rows[row]
            guard layouts.all.indices.contains(Int(header.entity)) else {
                throw GranaryError(
                    Diagnostic(.storeCorrupt, "the object with the key \(header.key) is of no entity of the model"))
            }
            try coding.check(batch, row: row, layout: layouts[Int(header.entity)])
        }
        return SharedBatch(
            batch, identity: store.identity, readAt: mark.instant, generation: mark.generation)
    }

    func row(_ shared: SharedBatch, _ index: Int) -> StoredRow {
        StoredRow(
            shared: shared, index: index,
            layout: layouts[Int(shared.batch.rows[index].entity)])
    }

    /// The object of a row: the one that the context has, or a new one, which is a fault.
    func object(for row: StoredRow) -> ManagedObject {
        let id = row.id
        if let object = registeredObject(for: id) {
            if object.isFault, !object.isInserted {
                object.row = row
                object.version = row.version
            }
            return object
        }
        let object = row.layout.objectClass.init(
            ManagedObject.Creation(
                layout: row.layout, id: id, values: ObjectValues(row.layout.blanks), version: row.version, row: row,
                isFault: true, context: self))
        register(object)
        return object
    }

    /// The object for one of the parent's.
    func object(like original: ManagedObject) -> ManagedObject {
        if let object = registeredObject(for: original.objectID) { return object }
        let object = original.layout.objectClass.init(
            ManagedObject.Creation(
                layout: original.layout, id: original.objectID, values: ObjectValues(original.layout.blanks),
                version: original.version, row: original.hasChanges ? nil : original.row, isFault: true, context: self))
        register(object)
        return object
    }

    /// IDs in the order of their keys, new objects last in the order they were inserted.
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
