import Foundation
import Granary

/// Shows the Core Data stack of an app without a container: model, coordinator and context are each made when they are
/// first used.
@MainActor
final class CustomerApp {
    /// The folder of the store.
    let applicationDocumentsDirectory: URL

    private let modelURL: URL
    private var madeModel: ManagedObjectModel?
    private var madeCoordinator: PersistentStoreCoordinator?
    private var madeContext: ManagedObjectContext?

    /// - Parameters:
    ///   - model: the model Customers, as `.xcdatamodeld` or `.momd`.
    ///   - documents: the folder of the store; nil for the user's documents folder.
    init(model: URL, documents: URL? = nil) {
        modelURL = model
        applicationDocumentsDirectory = documents ?? Self.documentDirectory
    }

    private static var documentDirectory: URL {
        let folders = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
        return folders.first ?? PersistentContainer.defaultDirectoryURL
    }

    // MARK: - Core Data stack

    /// The model, read on first use.
    var managedObjectModel: ManagedObjectModel {
        get throws {
            if let madeModel { return madeModel }
            let model = try ManagedObjectModel(contentsOf: modelURL)
            madeModel = model
            return model
        }
    }

    /// The coordinator with the store `customersdata.sqlite`, which is created if it does not exist.
    var persistentStoreCoordinator: PersistentStoreCoordinator {
        get throws {
            if let madeCoordinator { return madeCoordinator }
            let coordinator = PersistentStoreCoordinator(
                schema: try managedObjectModel.resolved(), classes: CustomersClasses.all)
            try FileManager.default.createDirectory(
                at: applicationDocumentsDirectory, withIntermediateDirectories: true)
            let url = applicationDocumentsDirectory.appending(path: "customersdata.sqlite")
            try coordinator.addPersistentStore(PersistentStoreDescription(.sqlite(url)))
            madeCoordinator = coordinator
            return coordinator
        }
    }

    /// The context of the main actor.
    var managedObjectContext: ManagedObjectContext {
        get throws {
            if let madeContext { return madeContext }
            let context = ManagedObjectContext(try persistentStoreCoordinator)
            madeContext = context
            return context
        }
    }

    // MARK: - Saving

    /// Saves the changes, if there are any.
    ///
    /// - Returns: whether there were changes.
    /// - Throws: `GranaryError` with the problems of the customers. The changes are then kept.
    @discardableResult
    func saveContext() throws -> Bool {
        let context = try managedObjectContext
        guard context.hasChanges else { return false }
        try context.save()
        return true
    }

    /// Saves before the app ends. A context that was never used is not made for this.
    func applicationWillTerminate() throws { if madeContext != nil { try saveContext() } }
}
