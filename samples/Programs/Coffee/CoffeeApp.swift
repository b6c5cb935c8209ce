import Foundation
import Granary

/// Shows a stack whose model is built in code, one context with undo, and a store of an earlier version of the model.
@MainActor
final class CoffeeApp {
    let persistentStoreCoordinator: PersistentStoreCoordinator
    let managedObjectContext: ManagedObjectContext

    private let undoManager = ObjectUndoManager()

    /// - Parameters:
    ///   - documents: the documents folder. Its subfolder `db` has the archived model and the stores.
    ///   - model: the version of the model that the app needs; the archive is merged with it.
    init(documents: URL, model: ManagedObjectModel = CoffeeModel.model) throws {
        let objectModel = try CoffeeModel.load(model, documents: documents)
        persistentStoreCoordinator = try PersistentStoreCoordinator(
            schema: objectModel.resolved(), classes: ["Coffee": Coffee.self])
        for description in try Self.stores(of: objectModel, in: documents.appending(path: "db")) {
            try persistentStoreCoordinator.addPersistentStore(description)
        }
        managedObjectContext = ManagedObjectContext(persistentStoreCoordinator)
        managedObjectContext.retainsRegisteredObjects = true
        // If others have changed the same property in the store, the value of this context is saved.
        managedObjectContext.mergePolicy = .mergeByPropertyObjectTrump
        managedObjectContext.undoManager = undoManager
    }

    /// One store for all entities. If the store was created for the first version of the model, it is opened for the
    /// entities of that version, and each later version has a second store for the entities that it has added.
    private static func stores(
        of model: ManagedObjectModel, in folder: URL
    ) throws -> [PersistentStoreDescription] {
        let location = StoreLocation.sqlite(folder.appending(path: "AppDataDb.sqlite"))
        var whole = PersistentStoreDescription(location)
        whole.configuration = PersistentStoreDescription.defaultConfigurationName
        guard let url = location.url, FileManager.default.fileExists(atPath: url.path) else { return [whole] }
        let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: location)
        if try model.isConfiguration(withName: whole.configuration, compatibleWithStoreMetadata: metadata) {
            return [whole]
        }
        return model.configurations.enumerated().map { number, configuration in
            let name = number == 0 ? "AppDataDb.sqlite" : "AppDataDb \(number + 1).sqlite"
            var description = PersistentStoreDescription(.sqlite(folder.appending(path: name)))
            description.configuration = configuration.name
            return description
        }
    }

    // MARK: - Coffees

    func add(_ name: String, brand: String, rating: Decimal? = nil) throws -> Coffee {
        try step("Add Coffee") {
            let coffee = Coffee(context: managedObjectContext)
            coffee.name = name
            coffee.brand = brand
            coffee.rating = rating
            return coffee
        }
    }

    func rate(_ coffee: Coffee, _ rating: Decimal?) throws { try step("Rate Coffee") { coffee.rating = rating } }

    func remove(_ coffee: Coffee) throws { try step("Remove Coffee") { try managedObjectContext.delete(coffee) } }

    /// Returns all coffees, sorted by name, including unsaved ones.
    func coffees() throws -> [Coffee] { try managedObjectContext.fetch(Coffee.self, sort: "name") }

    func save() throws { if managedObjectContext.hasChanges { try managedObjectContext.save() } }

    // MARK: - Undo

    /// The name of the action to undo, for a menu; empty if there is none.
    var undoActionName: String { undoManager.undoActionName }

    /// Undoes the last step, also after it was saved.
    func undo() throws { try undoManager.undo() }

    func redo() throws { try undoManager.redo() }

    /// Runs `change` as one named undo step, even if it throws.
    private func step<Value>(_ name: String, _ change: () throws -> Value) throws -> Value {
        undoManager.beginUndoGrouping()
        undoManager.setActionName(name)
        let result = Result { try change() }
        try undoManager.endUndoGrouping()
        return try result.get()
    }
}
