public import GranaryBase
public import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Assigns a new object to a store. Without an assignment it is saved in the first writable store that holds its
    /// entity. (`assign(_:to:)`)
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the object is not new or belongs to another context, if the
    ///   store is read-only or belongs to another container, or if its configuration lacks the entity.
    public func assign(_ object: ManagedObject, to store: PersistentStore) throws(GranaryError) {
        guard object.managedObjectContext === self, object.isInserted else {
            throw GranaryError(
                .usage, "\(object) is not a new object of the context; only new objects can be assigned to a store")
        }
        guard persistentStoreCoordinator.store(withIdentifier: store.identifier) === store, !store.isReadOnly else {
            throw GranaryError(
                .usage, "the store \(store.identifier) is read-only or does not belong to this container")
        }
        guard store.holds(object.layout.index) else {
            throw GranaryError(
                .usage,
                "the store's configuration \"\(store.configurationName)\" lacks the entity \(object.entity.name)"
            )
        }
        if let present = object.objectID.storeIdentifier, present != store.identifier {
            throw GranaryError(.usage, "\(object) has its permanent ID already, in another store")
        }
        assignments[object] = store.identifier
    }

    /// Returns the UUID of the store for a new object; nil if there is none.
    func storeIdentifier(forNew object: ManagedObject) -> String? {
        if let assigned = assignments[object] { return assigned }
        return persistentStoreCoordinator.persistentStores.first { store in
            !store.isReadOnly && store.holds(object.layout.index)
        }?.identifier
    }

    /// Returns the UUID of the store that holds or will hold an object.
    func storeOf(_ object: ManagedObject) -> String? {
        object.objectID.storeIdentifier ?? storeIdentifier(forNew: object)
    }
}
