import GranaryBase
import GranaryModel

extension ManagedObjectContext {
    /// All objects of an entity and its subentities: stored ones by their keys, then new ones in the order they were
    /// inserted. What was changed here is seen as changed, what was deleted here is left out.
    ///
    /// Objects are made for all of them. - Complexity: O(*n*) in the number of stored objects.
    ///
    /// - Throws: ``GranaryError``: `refused` when there is no such entity, or the store holds what the model does not
    ///   allow (`store.corrupt`); what reading from the store throws.
    public func fetchAll(_ entityName: String) throws -> [ManagedObject] {
        let entity = try persistentStoreCoordinator.entity(named: entityName)
        // Objects are made outside the store's lock: their hooks may come back to the context.
        let batches = try persistentStoreCoordinator.withStore { store in
            var batches: [RowBatch] = []
            try store.read(entities: entity.family, batchSize: 500) { batch in
                batches.append(copy batch)
                return true
            }
            return batches
        }
        var result: [ManagedObject] = []
        for batch in batches {
            for row in batch.rows.indices {
                let object = try object(from: batch, row: row)
                if !object.isDeleted { result.append(object) }
            }
        }
        let new = inserted.filter { $0.layout.isKind(of: entity.index) }
        return result + new.sorted { $0.insertionNumber < $1.insertionNumber }
    }

    /// How many objects ``fetchAll(_:)`` would give, without reading them.
    ///
    /// - Throws: ``GranaryError``: `refused` when there is no such entity; what reading from the store throws.
    public func count(_ entityName: String) throws -> Int {
        let entity = try persistentStoreCoordinator.entity(named: entityName)
        let stored = try persistentStoreCoordinator.withStore { store in
            try entity.family.reduce(0) { try $0 + store.count(entity: $1) }
        }
        let isCounted = { (object: ManagedObject) in object.layout.isKind(of: entity.index) }
        return stored + inserted.count(where: isCounted) - deleted.count(where: isCounted)
    }

    /// The object of an ID, read from the store when the context does not know it yet; nil when there is none, when
    /// it is deleted here, and for an ID of another store. (`existingObject(with:)`)
    ///
    /// - Throws: ``GranaryError`` when the store cannot be read or holds what the model does not allow.
    public func object(with id: ManagedObjectID) throws -> ManagedObject? {
        if let object = registered[id] { return object.isDeleted ? nil : object }
        return try objects(with: [id]).first
    }

    /// The objects of several IDs, in their order, read in one go; those that do not exist are left out.
    ///
    /// - Throws: as ``object(with:)``.
    public func objects(with ids: [ManagedObjectID]) throws -> [ManagedObject] {
        try register(ids.filter { registered[$0] == nil && isOurs($0) })
        return ids.compactMap { id in registered[id].flatMap { $0.isDeleted ? nil : $0 } }
    }

    /// The object of an ID when the context knows it already, also a deleted one.
    public func registeredObject(for id: ManagedObjectID) -> ManagedObject? { registered[id] }

    private func isOurs(_ id: ManagedObjectID) -> Bool {
        let identity = persistentStoreCoordinator.identity
        // The ID may have been read with another model: an entity is an index only within its own.
        return !id.isTemporaryID && id.origin.identifier == identity.identifier
            && (id.origin.schema === identity.schema || id.origin.schema.checksum == identity.schema.checksum)
    }

    private func register(_ ids: [ManagedObjectID]) throws {
        guard !ids.isEmpty else { return }
        let byRoot = Dictionary(grouping: ids) { $0.root }
        let batches = try persistentStoreCoordinator.withStore { store in
            try byRoot.sorted { $0.key < $1.key }.map { root, ids in
                try store.read(root: root, keys: ids.compactMap(\.key))
            }
        }
        for batch in batches { for row in batch.rows.indices { _ = try object(from: batch, row: row) } }
    }

    /// The object of a row: the one that the context has, or a new one.
    private func object(from batch: RowBatch, row: Int) throws -> ManagedObject {
        let header = batch.rows[row]
        let coordinator = persistentStoreCoordinator
        guard coordinator.layouts.indices.contains(Int(header.entity)) else {
            throw GranaryError(
                Diagnostic(.storeCorrupt, "the object with the key \(header.key) is of no entity of the model"))
        }
        let layout = coordinator.layouts[Int(header.entity)]
        let id = ManagedObjectID(
            origin: coordinator.identity, entity: layout.index, reference: .stored(header.key))
        if let object = registered[id] { return object }
        let values = try RowCoding(identity: coordinator.identity).values(of: batch, row: row, layout: layout)
        let object = layout.objectClass.init(
            ManagedObject.Creation(layout: layout, id: id, values: values, version: header.version, context: self))
        registered[id] = object
        object.awakeFromFetch()
        return object
    }

    /// The links that the store has for one object.
    func storedLinks(of end: LinkLayout.End, owner: ManagedObjectID) throws -> LinkedObjects {
        guard let key = owner.key else { return LinkedObjects(isOrdered: end.isOrdered) }
        let identity = persistentStoreCoordinator.identity
        var ids = try persistentStoreCoordinator.withStore { store in
            var ids: [ManagedObjectID] = []
            try store.readLinks(of: end.relationship, owners: [key]) { link in
                ids.append(ManagedObjectID(origin: identity, entity: link.entity, reference: .stored(link.destination)))
            }
            return ids
        }
        if end.relationship.inverse == nil {
            // Without an inverse only the context knows that another object has taken a member over.
            ids.removeAll { id in
                if let other = exclusiveOwner(of: id, over: end.id), other != owner { return true }
                setExclusiveOwner(owner, of: id, over: end.id)
                return false
            }
        }
        return LinkedObjects(ids, isOrdered: end.isOrdered)
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

    private func number(_ id: ManagedObjectID) -> Int { registered[id]?.insertionNumber ?? Int.max }
}
