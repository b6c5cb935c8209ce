public import GranaryBase
import GranaryModel

extension PersistentStoreCoordinator {
    /// Copies all objects of a store into a new store of any kind, which replaces it in the coordinator. The old
    /// store's file is kept. (`migratePersistentStore(_:to:type:options:)`)
    ///
    /// ```swift
    /// let new = try coordinator.migratePersistentStore(store, to: PersistentStoreDescription(.archive(url)))
    /// let id = new.objectIDMapping?.objectID(for: oldID)
    /// ```
    ///
    /// Keys, versions, the order of ordered relationships and the app's metadata do not change. The new store has
    /// another UUID, so the objects have other IDs: ``PersistentStore/objectIDMapping`` maps them. Contexts that hold IDs of
    /// the old store can no longer read it; reset them and fetch again.
    ///
    /// The migration is all-or-nothing: if it fails, no new file exists. Nobody can save into the old store while it
    /// runs.
    ///
    /// - Parameter description: the new store, which must not exist.
    /// - Returns: the new store.
    /// - Throws: ``GranaryError``: `usage` if the store does not belong to this coordinator or the new one is
    ///   read-only; `uncreatable` if the file exists; `refused`, with object and property, for a value that the new
    ///   store cannot hold, such as a Decimal that SQLite would round, and for an object whose entity is not in the
    ///   configuration; any error from reading and writing.
    @discardableResult
    public func migratePersistentStore(
        _ store: PersistentStore, to description: PersistentStoreDescription
    ) throws(GranaryError) -> PersistentStore {
        guard persistentStores.contains(where: { $0 === store }) else {
            throw GranaryError(.usage, "the store \(store.identifier) does not belong to this coordinator")
        }
        guard !description.isReadOnly else {
            throw GranaryError(.usage, "objects cannot be migrated to a read-only store")
        }
        let choice = try ConfigurationChoice(description.configuration, of: schema)
        let target = PersistentStore(
            try choice.create(description), schema: schema, description: description, entities: choice.entities,
            migratedFrom: store)
        try converting {
            try store.withLock { source in
                try target.withLock { destination in
                    try StoreCopy(source: source, destination: destination).run()
                    try destination.publish()
                    target.noteMetadata(of: destination)
                    target.noteReaders(destination.readerFactory)
                }
                try replace(store, with: [target])
                noteSave()
                // Callers that wait for the lock find the store removed.
                store.detach()
            }
        }
        if let observer { target.observe(observer) }
        return target
    }
}
