#if canImport(CoreData)
    import CoreData
    import Foundation

    /// A function that opens stores with Core Data, without any migration.
    enum CoreDataStack {
        /// Opens a store, runs `body` on the queue of a new context, and closes the store. Creates the store if it does
        /// not exist.
        ///
        /// - Throws: the error of Core Data if the store does not fit the model; what `body` throws.
        static func run<Value: Sendable>(
            _ store: URL, _ model: NSManagedObjectModel,
            _ body: @Sendable (NSManagedObjectContext) throws -> Value
        ) throws -> Value {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let options: [AnyHashable: Any] = [
                NSMigratePersistentStoresAutomaticallyOption: false, NSInferMappingModelAutomaticallyOption: false,
            ]
            let attached: NSPersistentStore = try coordinator.addPersistentStore(
                type: NSPersistentStore.StoreType.sqlite, configuration: nil, at: store, options: options)
            let owner = ContextOwner(context: NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType))
            owner.context.persistentStoreCoordinator = coordinator
            let value: Value = try owner.context.performAndWait { () throws -> Value in
                defer { owner.context.reset() }
                return try body(owner.context)
            }
            try coordinator.remove(attached)
            return value
        }

        /// A value that hands the context to its queue: some SDKs do not mark contexts as `Sendable`.
        ///
        /// `@unchecked`: objects are read and changed on the queue of the context only.
        private struct ContextOwner: @unchecked Sendable {
            let context: NSManagedObjectContext
        }
    }
#endif
