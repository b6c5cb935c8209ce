import Foundation
import Granary

/// Shows the Core Data stack of an app without a container: model, coordinator and context are each made when they are
/// first used.
@MainActor
final class CustomerApp {
    /// The folder of the store.
    let applicationDocumentsDirectory: URL
    /// The error of the last ``saveContext()`` that failed; nil after one that did not.
    private(set) var unresolvedError: (any Error)?

    private let bundle: Bundle?
    private let log: (String) -> Void
    private var madeModel: ManagedObjectModel?
    private var madeCoordinator: PersistentStoreCoordinator?
    private var madeContext: ManagedObjectContext?

    /// - Parameters:
    ///   - bundle: the bundle with the models; nil for the main bundle and the resources beside the program.
    ///   - documents: the folder of the store; nil for the user's documents folder.
    ///   - log: receives a line for each failed save.
    init(bundle: Bundle? = nil, documents: URL? = nil, log: @escaping (String) -> Void = { print($0) }) {
        self.bundle = bundle
        applicationDocumentsDirectory = documents ?? Self.documentDirectory
        self.log = log
    }

    private static var documentDirectory: URL {
        let folders = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
        return folders.last ?? PersistentContainer.defaultDirectoryURL
    }

    // MARK: - Core Data stack

    /// The model: all models of the bundle, merged on first use.
    var managedObjectModel: ManagedObjectModel {
        get throws {
            if let madeModel { return madeModel }
            let model = try ManagedObjectModel.merged(from: bundle.map { [$0] })
            madeModel = model
            return model
        }
    }

    /// The coordinator with the store `customersdata.sqlite`, which is created if it does not exist.
    var persistentStoreCoordinator: PersistentStoreCoordinator {
        get throws {
            if let madeCoordinator { return madeCoordinator }
            let coordinator = try PersistentStoreCoordinator(
                schema: managedObjectModel.resolved(), classes: CustomersClasses.all)
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

    /// Saves the changes, if there are any. A failed save is logged with the error and its user info, and keeps the
    /// changes.
    ///
    /// - Returns: whether changes were saved.
    @discardableResult
    func saveContext() -> Bool {
        do {
            let context = try managedObjectContext
            unresolvedError = nil
            guard context.hasChanges else { return false }
            try context.save()
            return true
        } catch {
            unresolvedError = error
            log("Unresolved error \(error), \((error as NSError).userInfo)")
            return false
        }
    }

    /// Saves before the app ends. A context that was never used is not made for this.
    func applicationWillTerminate() { if madeContext != nil { saveContext() } }
}
