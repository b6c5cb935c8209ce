import Foundation
import Granary

/// Shows a stack whose model is built in code, one context with undo, and a store of an earlier version of the model.
@MainActor
final class CoffeeApp {
    let persistentStoreCoordinator: PersistentStoreCoordinator
    let managedObjectContext: ManagedObjectContext

    private let undoManager = ObjectUndoManager()

    /// - Parameters:
    ///   - folder: the folder of the archived model and of the stores.
    ///   - model: the model, if there is no archive of it yet.
    ///   - archive: the name of the archive.
    init(
        folder: URL, model: ManagedObjectModel = CoffeeModel.model, archive: String = "AppDataModel.momd"
    ) throws {
        let model = try CoffeeModel.load(model, archive: folder.appending(path: archive))
        persistentStoreCoordinator = PersistentStoreCoordinator(
            schema: try model.resolved(), classes: ["Coffee": Coffee.self])
        for description in try Self.stores(of: model, in: folder) {
            try persistentStoreCoordinator.addPersistentStore(description)
        }
        managedObjectContext = ManagedObjectContext(persistentStoreCoordinator)
        // If others have changed the same property in the store, the value of this context is saved.
        managedObjectContext.mergePolicy = .mergeByPropertyObjectTrump
        managedObjectContext.retainsRegisteredObjects = true
        managedObjectContext.undoManager = undoManager
    }

    /// One store for all entities; if the store was created for the first version of the model, that store for the
    /// entities it has, and a second one for the entity that was added.
    private static func stores(
        of model: ManagedObjectModel, in folder: URL
    ) throws -> [PersistentStoreDescription] {
        let location = StoreLocation.sqlite(folder.appending(path: "Coffee.sqlite"))
        var coffees = PersistentStoreDescription(location)
        coffees.configuration = PersistentStoreDescription.defaultConfigurationName
        guard let url = location.url, FileManager.default.fileExists(atPath: url.path) else { return [coffees] }
        let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: location)
        if try model.isConfiguration(withName: coffees.configuration, compatibleWithStoreMetadata: metadata) {
            return [coffees]
        }
        coffees.configuration = "Coffees"
        var tastings = PersistentStoreDescription(.sqlite(folder.appending(path: "Tastings.sqlite")))
        tastings.configuration = "Tastings"
        return [coffees, tastings]
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
