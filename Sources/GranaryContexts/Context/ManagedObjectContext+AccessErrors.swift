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
