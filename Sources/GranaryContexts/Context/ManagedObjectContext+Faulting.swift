import GranaryBase
import GranaryCoordination
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
            guard let original = try parent.lookUpObject(with: object.objectID) else { throw gone(object) }
            try original.fire()
            object.version = original.version
            object.row = original.row
            // A child does not inherit transient values.
            var values = original.values
            for attribute in object.layout.entity.attributes where !attribute.isPersistent {
                values[attribute.slot] = object.layout.blanks[attribute.slot]
            }
            object.awake(with: values)
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

    func gone(_ object: ManagedObject) -> GranaryError { gone(object.objectID) }

    func gone(_ id: ManagedObjectID) -> GranaryError {
        let place = parent == nil ? "the store" : "the parent context"
        return GranaryError(
            Diagnostic(
                .objectGone, "\(place) does not have the object (\(id))", entity: id.entityName,
                object: "\(id.uriRepresentation)", coreDataCode: 133_000))
    }

    /// An object of which nothing was read yet.
    func makeFault(for id: ManagedObjectID) -> ManagedObject {
        let coordinator = persistentStoreCoordinator
        guard coordinator.hasSameModel(id) else {
            // An ID of another model: the fault can never be fulfilled, and it is not registered.
            let schema = id.origin.schema
            let object = ManagedObject(
                creation(
                    of: id,
                    ObjectLayout(schema: schema, entity: schema.entities[id.entity], objectClass: ManagedObject.self)))
            // The context clears this reference only in registered objects, so it would dangle.
            object.managedObjectContext = nil
            return object
        }
        let layout = layouts[id.entity]
        let object = layout.objectClass.init(creation(of: id, layout))
        register(object)
        return object
    }

    private func creation(of id: ManagedObjectID, _ layout: ObjectLayout) -> ManagedObject.Creation {
        ManagedObject.Creation(
            layout: layout, id: id, values: ObjectValues(layout.blanks), version: 0, isFault: true, context: self)
    }

    /// Whether a row may be used again.
    func isFresh(_ row: StoredRow) -> Bool {
        guard row.shared.generation == persistentStoreCoordinator.generation else { return false }
        guard let stalenessInterval else { return true }
        return row.shared.readAt.duration(to: .now) < stalenessInterval
    }
}
