import GranaryBase
import GranaryModel

extension ManagedObjectContext {
    /// Reads the values of all faults among the objects, in batches. (A fetch of `SELF IN objects` with
    /// `returnsObjectsAsFaults` false.)
    ///
    /// - Throws: ``GranaryError``: `object.gone` for an object that the store has no longer; what reading throws.
    public func fulfill(_ objects: [ManagedObject]) throws {
        let stale = objects.filter { object in
            object.managedObjectContext === self && object.isFault && !object.isInserted
                && object.row.map { !isFresh($0) } ?? true
        }
        if parent == nil {
            for shared in try read(stale.map(\.objectID)) {
                for index in shared.batch.rows.indices { _ = object(for: row(shared, index)) }
            }
        }
        for object in objects { try object.fire() }
    }

    /// Makes a fault an object with values.
    func fulfill(_ object: ManagedObject) throws {
        if object.isInserted {
            object.awake(with: ObjectValues(object.layout.defaults))
            return
        }
        try checkStore(of: object)
        if parent != nil, let row = object.row, isFresh(row), !isKnownToAncestors(object.objectID) {
            object.awake(from: row)
        } else if let parent {
            guard let original = try parent.object(with: object.objectID) else { throw gone(object) }
            try original.fire()
            object.version = original.version
            object.row = original.row
            object.awake(with: original.values)
        } else if let row = object.row, isFresh(row) {
            object.awake(from: row)
        } else {
            let shared = try readNeighbours(of: object)
            guard
                let stored = shared.lazy.flatMap({ shared in shared.batch.rows.indices.map { self.row(shared, $0) } })
                    .first(where: { $0.id == object.objectID })
            else { throw gone(object) }
            guard stored.layout === object.layout else {
                throw GranaryError(
                    Diagnostic(
                        .storeCorrupt, "the object is of the entity \(stored.layout.entity.name) (\(object.objectID))",
                        entity: object.entity.name))
            }
            object.awake(from: stored)
        }
    }

    /// Whether a context that this one reads through may have changed the object.
    private func isKnownToAncestors(_ id: ManagedObjectID) -> Bool {
        var next = parent
        while let ancestor = next {
            if ancestor.registeredObject(for: id) != nil { return true }
            next = ancestor.parent
        }
        return false
    }

    /// Reads the row of a fault, and with it those of the faults that came in one batch with it: they are as old.
    private func readNeighbours(of object: ManagedObject) throws -> [SharedBatch] {
        var ids = [object.objectID]
        // From the second one on that is asked for after a save: a loop that saves reads no batches.
        if let stale = object.row?.shared, stalenessInterval == nil,
            stale.countStaleFire(persistentStoreCoordinator.generation) > 1
        {
            for index in stale.batch.rows.indices {
                let id = row(stale, index).id
                guard id != object.objectID, let other = registeredObject(for: id), other.isFault else { continue }
                ids.append(id)
            }
        }
        let batches = try read(ids)
        for shared in batches {
            for index in shared.batch.rows.indices {
                let stored = row(shared, index)
                guard let other = registeredObject(for: stored.id), other.isFault else { continue }
                other.row = stored
                other.version = stored.version
            }
        }
        return batches
    }

    /// An object whose store was removed is not gone: nobody can tell.
    func checkStore(of object: ManagedObject) throws(GranaryError) {
        guard let identifier = object.objectID.storeIdentifier,
            persistentStoreCoordinator.store(withIdentifier: identifier) == nil
        else { return }
        throw GranaryError(.usage, "the store \(identifier) of \(object) was removed from its coordinator")
    }

    func gone(_ object: ManagedObject) -> GranaryError {
        let place = parent == nil ? "the store" : "the parent context"
        return GranaryError(
            Diagnostic(
                .objectGone, "\(place) does not have the object any more (\(object.objectID))",
                entity: object.entity.name, coreDataCode: 133_000))
    }

    /// Whether a row may be used again.
    func isFresh(_ row: StoredRow) -> Bool {
        guard row.shared.generation == persistentStoreCoordinator.generation else { return false }
        guard let stalenessInterval else { return true }
        return row.shared.readAt.duration(to: .now) < stalenessInterval
    }

    // MARK: - Refreshing

    /// Takes over what the store has for an object.
    ///
    /// With `mergeChanges` an object that was changed keeps its changes on top of the stored values; one without
    /// changes becomes a fault. Without, the changes are lost, other objects' ends of its relationships too, and
    /// the object is a fault. (`refresh(_:mergeChanges:)`)
    ///
    /// - Throws: ``GranaryError``: `object.gone` (133000) when there are changes and the store has the object no longer;
    ///   what reading throws. The object is then as it was.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
        guard object.managedObjectContext === self, !object.isFault, !object.isDeleted else { return }
        if !mergeChanges {
            try discardChanges(of: object)
        } else if object.isInserted {
            return
        } else if object.isUpdated {
            try withoutUndo { try rebase(object, onto: try storedValues(of: object), winner: .object) }
        } else {
            object.turnIntoFault()
        }
        if !observers.isEmpty { pending.refreshed.insert(object) }
    }

    /// ``refresh(_:mergeChanges:)`` with merging, for all objects that the context knows. (`refreshAllObjects()`)
    ///
    /// - Throws: as ``refresh(_:mergeChanges:)``.
    public func refreshAllObjects() throws {
        for object in registeredObjects { try refresh(object, mergeChanges: true) }
    }

    private func discardChanges(of object: ManagedObject) throws {
        if object.isUpdated, let snapshot = object.snapshot {
            try withoutUndo { try object.restoreLinks(from: snapshot) }
            object.isUpdated = false
            updated.remove(object)
        } else if object.isInserted {
            try withoutUndo { try object.restoreLinks(from: ObjectValues(object.layout.defaults)) }
        }
        object.turnIntoFault()
    }

    /// Runs `body` with nothing recorded for undo.
    func withoutUndo<Result>(_ body: () throws -> Result) rethrows -> Result {
        undoManager?.disableUndoRegistration()
        defer { undoManager?.enableUndoRegistration() }
        return try body()
    }

    // MARK: - Reading many at once

    /// The object at the end of a to-one relationship.
    ///
    /// When it is followed for a second object of one batch, the rows for all objects of the batch are read at once.
    func follow(_ link: LinkLayout, of object: ManagedObject, to id: ManagedObjectID) throws -> ManagedObject? {
        if let known = registeredObject(for: id) { return known.isDeleted ? nil : known }
        if let row = try companion(link, of: object, id) { return self.object(for: row) }
        return try self.object(with: id)
    }

    private func companion(_ link: LinkLayout, of object: ManagedObject, _ id: ManagedObjectID) throws -> StoredRow? {
        guard parent == nil, let shared = object.row?.shared, let key = id.key,
            id.origin.identifier == shared.identity.identifier
        else { return nil }
        var companions = currentCompanions(of: shared, link.id)
        if let rows = companions.rows, stalenessInterval == nil { return rows[key] }
        companions.touches += 1
        shared.companions[link.id] = companions
        guard shared.batch.rows.count > 1, companions.touches > 1 else { return nil }
        try prefetch(link.relationship, from: shared)
        return shared.companions[link.id]?.rows?[key]
    }

    /// What was read for a batch since the last save; a new count after it, so that a loop that saves reads no batches.
    private func currentCompanions(of shared: SharedBatch, _ id: LinkLayout.ID) -> Companions {
        let generation = persistentStoreCoordinator.generation
        if let companions = shared.companions[id], companions.generation == generation { return companions }
        return Companions(generation: generation)
    }

    /// The links that the store, or the parent, has for one object.
    func storedLinks(of end: LinkLayout.End, owner: ManagedObject) throws -> LinkedObjects {
        var ids = try parent.map { try parentLinks(of: end, owner: owner, in: $0) } ?? readLinks(of: end, owner: owner)
        if end.relationship.inverse == nil {
            // Without an inverse only the context knows that another object has taken a member over.
            ids.removeAll { id in
                if isTaken(id, over: end, from: owner) { return true }
                setExclusiveOwner(owner.objectID, of: id, over: end.id)
                return false
            }
        }
        return LinkedObjects(ids, isOrdered: end.isOrdered)
    }

    /// Whether an unsaved change has made the member another object's. What was only read counts no more than what is
    /// read now.
    private func isTaken(_ member: ManagedObjectID, over end: LinkLayout.End, from owner: ManagedObject) -> Bool {
        guard let id = exclusiveOwner(of: member, over: end.id), id != owner.objectID,
            let other = registeredObject(for: id), other.hasChanges, !other.isDeleted,
            other.values[end.id.slot].toMany?.contains(member) == true
        else { return false }
        return other.isInserted || other.snapshot?[end.id.slot].toMany?.contains(member) == false
    }

    private func parentLinks(
        of end: LinkLayout.End, owner: ManagedObject, in parent: ManagedObjectContext
    ) throws -> [ManagedObjectID] {
        guard let original = try parent.object(with: owner.objectID) else { return [] }
        try original.load(end)
        return original.values[end.id.slot].toMany?.ids ?? []
    }

    private func readLinks(of end: LinkLayout.End, owner: ManagedObject) throws -> [ManagedObjectID] {
        guard let key = owner.objectID.key, !owner.isInserted,
            let store = persistentStoreCoordinator.store(withIdentifier: owner.objectID.origin.identifier)
        else { return [] }
        let id = { (link: Link) in
            ManagedObjectID(origin: store.identity, entity: link.entity, reference: .stored(link.destination))
        }
        if let shared = owner.row?.shared {
            var companions = currentCompanions(of: shared, end.id)
            companions.touches += 1
            if companions.links == nil, companions.touches > 1, shared.batch.rows.count > 1, stalenessInterval == nil {
                companions.links = try readLinks(of: end, from: shared, store)
            }
            shared.companions[end.id] = companions
            if let links = companions.links { return (links[key] ?? []).map(id) }
        }
        return try store.withLock { store in
            var links: [Link] = []
            try store.readLinks(of: end.relationship, owners: [key]) { links.append($0) }
            return links
        }.map(id)
    }

    /// The links of all rows of a batch, by their owner's key.
    private func readLinks(
        of end: LinkLayout.End, from shared: SharedBatch, _ store: AttachedStore
    ) throws -> [Int64: [Link]] {
        let owners = shared.batch.rows.filter {
            persistentStoreCoordinator.layouts[Int($0.entity)].isKind(of: end.id.owner)
        }.map(\.key)
        return try store.withLock { store in
            var links: [Int64: [Link]] = [:]
            try store.readLinks(of: end.relationship, owners: owners) { links[$0.owner, default: []].append($0) }
            return links
        }
    }

    /// Makes the members of a to-many relationship known, where their rows were read with the owner's.
    func prefetchedMembers(_ link: LinkLayout, of object: ManagedObject) -> [ManagedObject] {
        guard parent == nil, let shared = object.row?.shared, let rows = currentCompanions(of: shared, link.id).rows
        else { return [] }
        return (object.values[link.slot].toMany?.ids ?? []).compactMap { id in
            guard registeredObject(for: id) == nil, let row = id.key.flatMap({ rows[$0] }), isFresh(row) else {
                return nil
            }
            return self.object(for: row)
        }
    }

    /// Reads what lies at the end of key paths for all rows of a batch.
    func prefetch(_ paths: [String], from shared: SharedBatch) throws {
        for path in paths {
            var batches = [shared]
            for name in path.split(separator: ".").map(String.init) {
                var next: [SharedBatch] = []
                for batch in batches {
                    let entities = Set(batch.batch.rows.map { Int($0.entity) }).sorted()
                    let found = entities.compactMap {
                        persistentStoreCoordinator.schema.entities[$0].relationship(named: name)
                    }
                    // Subentities share what they inherit.
                    var seen: Set<LinkLayout.ID> = []
                    for relationship in found where seen.insert(LinkLayout.ID(relationship)).inserted {
                        next += try prefetch(relationship, from: batch)
                    }
                }
                batches = next
            }
        }
    }

    @discardableResult
    private func prefetch(_ relationship: Schema.Relationship, from shared: SharedBatch) throws -> [SharedBatch] {
        guard relationship.isPersistent,
            let store = persistentStoreCoordinator.store(withIdentifier: shared.identity.identifier)
        else { return [] }
        let end = LinkLayout.End(relationship)
        var companions = Companions(generation: persistentStoreCoordinator.generation)
        var found: [Int64: StoredRow] = [:]
        var keys: Set<Int64> = []
        if relationship.isToMany {
            let links = try readLinks(of: end, from: shared, store)
            for list in links.values { keys.formUnion(list.map(\.destination)) }
            companions.links = links
        } else {
            for (index, header) in shared.batch.rows.enumerated()
            where persistentStoreCoordinator.layouts[Int(header.entity)].isKind(of: end.id.owner) {
                if case .reference(_, let key) = shared.batch[index, end.id.slot] { keys.insert(key) }
            }
        }
        let sorted = keys.sorted()
        let root = persistentStoreCoordinator.schema.entities[relationship.destination].root
        var batches: [SharedBatch] = []
        for start in stride(from: 0, to: sorted.count, by: 500) {
            let part = Array(sorted[start..<min(start + 500, sorted.count)])
            let mark = readMark
            let batch = try share(try store.withLock { try $0.read(root: root, keys: part) }, of: store, read: mark)
            for (index, header) in batch.batch.rows.enumerated() { found[header.key] = row(batch, index) }
            batches.append(batch)
        }
        companions.rows = found
        shared.companions[end.id] = companions
        return batches
    }
}
