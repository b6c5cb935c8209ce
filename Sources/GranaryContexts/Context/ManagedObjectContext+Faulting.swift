import GranaryBase
import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Reads the values of all faults among the objects, in batches. (A fetch of `SELF IN objects` with
    /// `returnsObjectsAsFaults` false.)
    ///
    /// - Throws: ``GranaryError``: `object.gone` for an object that was deleted from the store, if
    ///   ``shouldDeleteInaccessibleFaults`` is false; any error from reading.
    public func fulfill(_ objects: [ManagedObject]) throws {
        let stale = objects.filter { object in
            object.managedObjectContext === self && object.isFault && !object.isInserted
                && object.row.map { !isFresh($0) } ?? true
        }
        if parent == nil {
            for row in try read(stale.map(\.objectID)).flatMap(rows) { _ = object(for: row) }
        }
        for object in objects { try object.access() }
    }

    /// Reads the values of a fault.
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
            guard let stored = try readNeighbours(of: object).first(where: { $0.id == object.objectID }) else {
                throw gone(object)
            }
            guard stored.layout === object.layout else {
                throw GranaryError(
                    Diagnostic(
                        .storeCorrupt, "the object is of the entity \(stored.layout.entity.name) (\(object.objectID))",
                        entity: object.entity.name))
            }
            object.awake(from: stored)
        }
    }

    /// Whether an ancestor context has the object and may have changed it.
    private func isKnownToAncestors(_ id: ManagedObjectID) -> Bool {
        var next = parent
        while let ancestor = next {
            if ancestor.registeredObject(for: id) != nil { return true }
            next = ancestor.parent
        }
        return false
    }

    /// Reads the row of a fault together with the rows of other faults from the same batch, which are equally old.
    private func readNeighbours(of object: ManagedObject) throws -> [StoredRow] {
        var ids = [object.objectID]
        // Only from the second fault after a save on, so that a loop that saves does not read batches.
        if let stale = object.row?.shared, stalenessInterval == nil,
            stale.countStaleFire(generation) > 1
        {
            for id in rows(stale).map(\.id) where id != object.objectID && registeredObject(for: id)?.isFault == true {
                ids.append(id)
            }
        }
        let found = try read(ids).flatMap(rows)
        for row in found {
            guard let other = registeredObject(for: row.id), other.isFault else { continue }
            other.row = row
            other.version = row.version
        }
        return found
    }

    /// An object of a removed store must not be reported as deleted.
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

    /// Creates a fault without a row.
    func makeFault(for id: ManagedObjectID) -> ManagedObject {
        let coordinator = persistentStoreCoordinator
        guard coordinator.hasSameModel(id) else {
            // A fault with an ID of another model can never be fulfilled. It is not registered.
            let schema = id.origin.schema
            let layout = ObjectLayout(
                schema: schema, entity: schema.entities[id.entity], objectClass: ManagedObject.self)
            let object = ManagedObject(
                ManagedObject.Creation(
                    layout: layout, id: id, values: ObjectValues(layout.blanks), version: 0, isFault: true,
                    context: self))
            // The context clears this reference only in registered objects, so it would dangle.
            object.managedObjectContext = nil
            return object
        }
        return makeObject(layouts[id.entity], id: id)
    }

    /// Creates and registers an object: a fault, or an object with the model's default values.
    func makeObject(
        _ layout: ObjectLayout, id: ManagedObjectID, isFault: Bool = true, version: Int64 = 0, row: StoredRow? = nil
    ) -> ManagedObject {
        let object = layout.objectClass.init(
            ManagedObject.Creation(
                layout: layout, id: id, values: ObjectValues(isFault ? layout.blanks : layout.defaults),
                version: version, row: row, isFault: isFault, context: self))
        register(object)
        return object
    }

    /// Creates the fault of a row whose object is not registered.
    func makeUnregistered(_ row: StoredRow) -> ManagedObject {
        let layout = row.layout
        let object = layout.objectClass.init(
            ManagedObject.Creation(
                layout: layout, id: row.id, values: ObjectValues(layout.blanks), version: row.version, row: row,
                isFault: true, context: self))
        registerNew(object)
        return object
    }

    /// Whether a row may still be used.
    func isFresh(_ row: StoredRow) -> Bool {
        guard row.shared.generation == generation else { return false }
        guard let stalenessInterval else { return true }
        return row.shared.readAt.duration(to: .now) < stalenessInterval
    }
}

extension GranaryError {
    /// Whether the error only says that an object was deleted from the store.
    var isObjectGone: Bool { diagnostics.map(\.code) == [.objectGone] }
}
