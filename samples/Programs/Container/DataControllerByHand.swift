import Foundation
import Granary

/// Shows what ``DataController`` does without a container: model, coordinator, context, and a store that is opened in the
/// background.
@MainActor
final class DataControllerByHand {
    let managedObjectContext: ManagedObjectContext

    /// Returns immediately. The closure is called on the main actor when the store is open, or with the error.
    ///
    /// - Parameters:
    ///   - bundle: the bundle with `DataModel.momd`; nil for the program's resources.
    ///   - store: the SQLite file, which is created if it does not exist; nil for `DataModel.sqlite` in the user's
    ///     documents folder.
    init(
        bundle: Bundle? = nil, store: URL? = nil,
        completionClosure: @escaping @MainActor @Sendable (GranaryError?) -> Void
    ) throws {
        let managedObjectModel = try ManagedObjectModel(named: "DataModel", in: bundle)
        let coordinator = try PersistentStoreCoordinator(
            schema: managedObjectModel.resolved(), classes: CustomersClasses.all)
        managedObjectContext = ManagedObjectContext(coordinator)
        let storeURL = store ?? Self.documentDirectory.appending(path: "DataModel.sqlite")
        Task.detached {
            do throws(GranaryError) {
                try coordinator.addPersistentStore(PersistentStoreDescription(.sqlite(storeURL)))
                await completionClosure(nil)
            } catch {
                await completionClosure(error)
            }
        }
    }

    private static var documentDirectory: URL {
        let folders = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
        return folders.last ?? PersistentContainer.defaultDirectoryURL
    }
}
