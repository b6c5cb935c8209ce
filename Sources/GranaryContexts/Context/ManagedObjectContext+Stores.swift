public import GranaryBase
public import GranaryCoordination
import GranaryModel

extension ManagedObjectContext {
    /// Says which store a new object is saved in; without, it is the first one that holds its entity and can be
    /// written. (`assign(_:to:)`)
    ///
    /// - Throws: ``GranaryError`` with code `usage` when the object is not new or of another context, the store is not of
    ///   this container or read-only, or its configuration does not have the entity.
    public func assign(_ object: ManagedObject, to store: AttachedStore) throws(GranaryError) {
        guard object.managedObjectContext === self, object.isInserted else {
            throw GranaryError(
                .usage, "\(object) is not a new object of the context; only these are assigned to a store")
        }
        guard persistentStoreCoordinator.store(withIdentifier: store.identifier) === store, !store.isReadOnly else {
            throw GranaryError(.usage, "the store \(store.identifier) is not one that this container can write")
        }
        guard store.holds(object.layout.index) else {
            throw GranaryError(
                .usage,
                "the store's configuration \"\(store.configurationName)\" does not have the entity \(object.entity.name)"
            )
        }
        if let present = object.objectID.storeIdentifier, present != store.identifier {
            throw GranaryError(.usage, "\(object) has its permanent ID already, in another store")
        }
        assignments[object] = store.identifier
    }

    /// The UUID of the store that a new object will be saved in; nil for none.
    func storeIdentifier(forNew object: ManagedObject) -> String? {
        if let assigned = assignments[object] { return assigned }
        return persistentStoreCoordinator.attachedStores.first { store in
            !store.isReadOnly && store.holds(object.layout.index)
        }?.identifier
    }

    /// The UUID of the store that an object is in, or will be.
    func storeOf(_ object: ManagedObject) -> String? {
        object.objectID.storeIdentifier ?? storeIdentifier(forNew: object)
    }
}
