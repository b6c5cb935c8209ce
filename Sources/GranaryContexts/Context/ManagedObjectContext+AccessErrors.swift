import GranaryBase
import GranaryCoordination
import GranaryModel

/// Errors of accesses that cannot throw, and the creation of objects by an initialiser, which cannot throw either.
extension ManagedObjectContext {
    /// Keeps the first error for the next save.
    func remember(_ error: any Error) { accessError = accessError ?? error }

    /// Returns the remembered error and forgets it.
    func takeAccessError() -> (any Error)? {
        defer { accessError = nil }
        return accessError
    }

    /// - Throws: the remembered error, which is then forgotten.
    func throwAccessError() throws { if let error = takeAccessError() { throw error } }

    /// - Parameter use: what the context shall do with the object: `deleted`.
    /// - Throws: ``GranaryError`` with code `usage` if the object is not one of this context.
    func checkIsMine(_ object: ManagedObject, _ use: String) throws(GranaryError) {
        guard object.managedObjectContext !== self else { return }
        if let loss = object.loss { throw loss.error(object, "it cannot be \(use)") }
        guard object.managedObjectContext != nil else {
            throw GranaryError(.usage, "\(object) has no context; only an object of a context can be \(use)")
        }
        throw GranaryError(
            .usage,
            "\(object) belongs to another context and cannot be \(use) in this one; look it up here by its objectID")
    }

    /// - Throws: ``GranaryError`` with code `usage` if there is no store to read from.
    func requireStores() throws(GranaryError) {
        if persistentStoreCoordinator.persistentStores.isEmpty { throw PersistentStoreCoordinator.notLoaded }
    }

    // MARK: - Objects of a class

    /// Returns the data for a new object of a class, and the error if the context cannot have one.
    func creation(of type: ManagedObject.Type) -> (data: ManagedObject.Creation, error: GranaryError?) {
        let registered = layouts.registered(for: type)
        let concrete = registered.filter { !$0.entity.isAbstract }
        if let layout = concrete.first ?? registered.first {
            return (creation(layout), Self.error(type, registered: registered.count, concrete: concrete))
        }
        let schema = Schema.placeholder(entityName: "\(type)")
        let layout = ObjectLayout(schema: schema, entity: schema.entities[0], objectClass: type)
        let data = ManagedObject.Creation(
            layout: layout, id: PersistentStoreCoordinator.temporaryID(entity: 0, of: schema),
            values: ObjectValues(layout.defaults), version: 0, context: self)
        return (data, Self.error(type, registered: 0, concrete: []))
    }

    private func creation(_ layout: ObjectLayout) -> ManagedObject.Creation {
        ManagedObject.Creation(
            layout: layout, id: persistentStoreCoordinator.temporaryID(entity: layout.index),
            values: ObjectValues(layout.defaults), version: 0, context: self)
    }

    private static func error(
        _ type: ManagedObject.Type, registered: Int, concrete: [ObjectLayout]
    ) -> GranaryError? {
        if concrete.count == 1 { return nil }
        if registered == 0 {
            return GranaryError(
                .usage,
                "the class \(type) is registered for no entity of the context's model; pass it to the container under the "
                    + "class name of the entity")
        }
        if concrete.isEmpty {
            return GranaryError(
                Diagnostic(
                    .entityAbstract, "the class \(type) is registered for an abstract entity, which cannot have objects"
                ))
        }
        return GranaryError(
            .usage, "the class \(type) is registered for \(concrete.count) entities; use insert(into:)")
    }

    /// Inserts an object that an initialiser has created. With an error the object gets no context.
    func adopt(_ object: ManagedObject, _ error: GranaryError?) {
        if let error {
            object.managedObjectContext = nil
            return remember(error)
        }
        register(object)
        noteInsertion(of: object)
        object.awakeFromInsert()
    }
}

extension PersistentStoreCoordinator {
    fileprivate static var notLoaded: GranaryError {
        GranaryError(.usage, "no store is loaded; call loadPersistentStores() or addPersistentStore(_:) first")
    }

    /// Returns the error for a new object that no store can hold.
    func noStore(for entity: Schema.Entity) -> GranaryError {
        if persistentStores.isEmpty { return Self.notLoaded }
        return GranaryError(.refused, "\(entity.name): no writable store of the container holds the entity")
    }
}
