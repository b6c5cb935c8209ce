import Foundation
import Granary

/// Shows a container whose store is opened in the background.
final class BackgroundLoading: Sendable {
    let container: PersistentContainer

    /// - Parameters:
    ///   - model: the model Customers.
    ///   - store: the SQLite file, which loading creates if it does not exist.
    init(model: URL, store: URL) throws {
        container = try PersistentContainer(
            name: "Customers", model: ManagedObjectModel(contentsOf: model), classes: ["Customer": Customer.self])
        var description = PersistentStoreDescription(.sqlite(store))
        description.shouldAddStoreAsynchronously = true
        container.persistentStoreDescriptions = [description]
    }

    /// Returns immediately. The handler is called on another thread, with the error or nil.
    func load(_ completionHandler: @escaping @Sendable (GranaryError?) -> Void) {
        container.loadPersistentStores { _, error in completionHandler(error) }
    }

    /// Loads the store with `await`, and then uses it.
    func customerCount() async throws -> Int {
        try await container.loadPersistentStores()
        return try await container.perform { context in try context.count("Customer") }
    }
}
