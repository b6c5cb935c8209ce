public import GranaryBase
import GranaryModel

extension PersistentStoreCoordinator {
    /// Moves all objects of a store into a new one, of the same kind or another, which then takes the old one's place.
    /// The old store is removed from the coordinator; its file stays. (`migratePersistentStore(_:to:type:options:)`)
    ///
    /// ```swift
    /// let new = try coordinator.migratePersistentStore(store, to: PersistentStoreDescription(.archive(url)))
    /// let id = new.migration?.objectID(for: oldID)
    /// ```
    ///
    /// Objects keep their keys and versions, ordered relationships their order, the metadata what an app has put
    /// there. The new store has a UUID of its own, so objects have other IDs: ``AttachedStore/migration`` tells them.
    /// Contexts go on with IDs of the old store and can read it no longer; reset them, and fetch anew.
    ///
    /// It is all or nothing: there is no new store, not even a file, unless everything is in it. Nobody can save into the
    /// old one meanwhile.
    ///
    /// - Parameter description: where the new store is made. There must be nothing yet.
    /// - Returns: the new store.
    /// - Throws: ``GranaryError``: `usage` when the store is not one of this coordinator, or the new one is read-only;
    ///   `uncreatable` when there is something of its name; `refused`, naming object and property, for a value that the
    ///   new store cannot hold, such as a Decimal that SQLite would round, and for an object of an entity that its
    ///   configuration does not have; what reading and writing throw.
    @discardableResult
    public func migratePersistentStore(
        _ store: AttachedStore, to description: PersistentStoreDescription
    ) throws(GranaryError) -> AttachedStore {
        guard attachedStores.contains(where: { $0 === store }) else {
            throw GranaryError(.usage, "the store \(store.identifier) is not one of this coordinator")
        }
        guard !description.isReadOnly else {
            throw GranaryError(.usage, "a store that is read-only cannot take objects")
        }
        let choice = try ConfigurationChoice(description.configuration, of: schema)
        let target = AttachedStore(
            try choice.create(description), schema: schema, description: description, entities: choice.entities,
            migratedFrom: store)
        try converting {
            try store.withLock { source in
                try target.withLock { destination in
                    try StoreCopy(source: source, destination: destination).run()
                    try destination.publish()
                    target.noteMetadata(of: destination)
                }
                try replace(store, with: target)
                // Who waits for the lock finds the store gone.
                store.markDetached()
            }
        }
        return target
    }
}

/// How the objects of a store are called in the store that they were moved to.
///
/// Their keys are the same, and the store's UUID is another, so an ID from before names nothing any more.
public struct StoreMigration: Sendable {
    /// The UUID of the store that they came from.
    public var sourceIdentifier: String { source.identifier }
    /// The UUID of the store that they are in.
    public var destinationIdentifier: String { destination.identifier }

    private let source: StoreIdentity
    private let destination: StoreIdentity

    init(from source: StoreIdentity, to destination: StoreIdentity) {
        self.source = source
        self.destination = destination
    }

    /// The ID that an object has now; nil for an ID that is none of the old store's. That there was such an object is
    /// not checked.
    public func objectID(for id: ManagedObjectID) -> ManagedObjectID? {
        guard id.storeIdentifier == sourceIdentifier, id.origin.schema.checksum == destination.schema.checksum else {
            return nil
        }
        return ManagedObjectID(origin: destination, entity: id.entity, reference: id.reference)
    }
}
