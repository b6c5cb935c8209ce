import Foundation
import Granary

/// Shows a container that finds its model by name and opens its store in the background.
@MainActor
final class DataController {
    let persistentContainer: PersistentContainer

    /// Returns immediately. The closure is called on the main actor when the store is open, or with the error.
    ///
    /// - Parameters:
    ///   - bundle: the bundle with `DataModel.momd`; nil for the program's resources.
    ///   - store: the SQLite file; nil for `DataModel.sqlite` in the application-support folder.
    init(
        bundle: Bundle? = nil, store: URL? = nil,
        completionClosure: @escaping @MainActor @Sendable (GranaryError?) -> Void
    ) throws {
        persistentContainer = try Self.makeContainer(bundle, store)
        persistentContainer.loadPersistentStores { _, error in
            Task { @MainActor in completionClosure(error) }
        }
    }

    /// Opens the store in the background and waits for it with `await`.
    static func loadedContainer(bundle: Bundle? = nil, store: URL? = nil) async throws -> PersistentContainer {
        let container = try makeContainer(bundle, store)
        try await container.loadPersistentStores()
        return container
    }

    private static func makeContainer(_ bundle: Bundle?, _ store: URL?) throws -> PersistentContainer {
        let container = try PersistentContainer(name: "DataModel", bundle: bundle, classes: CustomersClasses.all)
        container.persistentStoreDescriptions = container.persistentStoreDescriptions.map { standard in
            var description = standard
            if let store { description.location = .sqlite(store) }
            description.shouldAddStoreAsynchronously = true
            return description
        }
        return container
    }
}
