import Foundation
import Granary

/// Shows a container that is there at once, while its store is opened in the background.
final class BackgroundLoading: Sendable {
    let container: PersistentContainer

    /// - Parameters:
    ///   - model: the model Customers.
    ///   - store: the SQLite file; loading makes it where there is none.
    init(model: URL, store: URL) throws {
        container = try PersistentContainer(
            name: "Customers", model: ManagedObjectModel(contentsOf: model), classes: ["Customer": Customer.self])
        var description = PersistentStoreDescription(.sqlite(store))
        description.shouldAddStoreAsynchronously = true
        container.persistentStoreDescriptions = [description]
    }

    /// Returns at once. The handler is called on another thread, with what went wrong; nil for nothing.
    func load(_ completionHandler: @escaping @Sendable (GranaryError?) -> Void) {
        container.loadPersistentStores { _, error in completionHandler(error) }
    }

    /// The same with `await`; work that needs the store follows.
    func customerCount() async throws -> Int {
        try await container.loadPersistentStores()
        return try await container.perform { context in try context.count("Customer") }
    }
}
