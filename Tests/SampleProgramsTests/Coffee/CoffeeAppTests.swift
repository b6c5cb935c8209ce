import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

@Suite("Sample: Coffee, a model in code") @MainActor struct CoffeeAppTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String) -> URL { folder.url.appending(path: name) }

    /// The files in the folder `db`.
    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file("db").path).sorted()
    }

    /// The coffees in the store, sorted by name, as the app finds them at its next start.
    private func stored() throws -> [CoffeeValue] {
        let app = try CoffeeApp(documents: folder.url)
        // Objects do not retain their context.
        return try withExtendedLifetime(app) {
            try app.coffees().map { CoffeeValue(name: $0.name, brand: $0.brand, rating: $0.rating) }
        }
    }

    @Test("The model is archived once, and then loaded from the file")
    func modelArchive() throws {
        let url = CoffeeModel.pathToModel(in: folder.url)
        #expect(url.path.hasSuffix("/db/AppDataModel.momd"))
        #expect(try CoffeeModel.load(CoffeeModel.model, documents: folder.url) == CoffeeModel.model)
        let bytes = try Data(contentsOf: url)
        let loaded = try CoffeeModel.load(CoffeeModel.model, documents: folder.url)
        #expect(try Data(contentsOf: url) == bytes)
        #expect(loaded == CoffeeModel.model)
        #expect(try loaded.resolved().checksum == CoffeeModel.model.resolved().checksum)
        #expect(loaded.entities.map(\.name) == ["Coffee", "Roaster"])
        let coffee = try #require(loaded.entity(named: "Coffee"))
        #expect(coffee.attributes.map(\.name) == ["name", "brand", "rating"])
        #expect(coffee.attributes.map(\.type) == [.string, .string, .decimal])
        #expect(coffee.attributes.map(\.isOptional) == [false, false, true])
        #expect(coffee.attributes.map(\.isIndexed) == [true, true, false])
    }

    @Test("A broken archive is replaced by a new model", arguments: ["", "This is no model.", "bplist00"])
    func brokenArchive(_ text: String) throws {
        let app = try CoffeeApp(documents: folder.url)
        _ = try app.add("Sumatra", brand: "Harbour Roasters")
        try app.save()
        let bytes = try Data(contentsOf: CoffeeModel.pathToModel(in: folder.url))
        try Data(text.utf8).write(to: CoffeeModel.pathToModel(in: folder.url))
        #expect(try stored().map(\.name) == ["Sumatra"])
        #expect(try Data(contentsOf: CoffeeModel.pathToModel(in: folder.url)) == bytes)
    }

    @Test("The second version is merged with the archive; what the archive has stays")
    func merged() throws {
        var archived = CoffeeModel.model
        archived.entities[1].attributes[1].isOptional = false
        archived.entities.append(EntityDescription("Cup", [.attribute("size", .integer16)]))
        _ = try CoffeeModel.load(archived, documents: folder.url)
        let merged = try CoffeeModel.load(CoffeeModel.secondVersion, documents: folder.url)
        #expect(merged.entities.map(\.name) == ["Coffee", "Roaster", "Cup", "Tasting"])
        #expect(merged.entity(named: "Roaster") == archived.entity(named: "Roaster"))
        #expect(merged.configurations == CoffeeModel.secondVersion.configurations)
        // The first version finds everything in the archive, and changes nothing.
        #expect(try CoffeeModel.load(CoffeeModel.model, documents: folder.url) == merged)
    }

    @Test("One context for one store with all entities")
    func stack() throws {
        let app = try CoffeeApp(documents: folder.url)
        let stores = app.persistentStoreCoordinator.persistentStores
        #expect(stores.map(\.configurationName) == ["PF_DEFAULT_CONFIGURATION_NAME"])
        #expect(app.managedObjectContext.mergePolicy == .mergeByPropertyObjectTrump)
        _ = try app.add("Sumatra", brand: "Harbour Roasters")
        try app.save()
        // The context retains objects that the program does not.
        #expect(app.managedObjectContext.registeredObjects.count == 1)
        #expect(try files() == ["AppDataDb.sqlite", "AppDataModel.momd"])
    }

    @Test("The value of the context replaces another's, which was saved first")
    func objectTrump() throws {
        let first = try CoffeeApp(documents: folder.url)
        let coffee = try first.add("Sumatra", brand: "Harbour Roasters", rating: 3)
        try first.save()
        let second = try CoffeeApp(documents: folder.url)
        let same = try #require(try second.coffees().first)
        try second.rate(same, 5)
        same.brand = "Fog & Sons"
        try second.save()
        try first.rate(coffee, 4)
        try first.save()
        #expect(try stored() == [CoffeeValue(name: "Sumatra", brand: "Fog & Sons", rating: 4)])
    }

    @Test("Each step has a name, is taken back by undo and made again by redo, also after saves")
    func undo() throws {
        let app = try CoffeeApp(documents: folder.url)
        #expect(app.undoActionName.isEmpty)
        let coffee = try app.add("Sumatra", brand: "Harbour Roasters")
        #expect(app.undoActionName == "Add Coffee")
        try app.save()
        try app.rate(coffee, 4)
        #expect(app.undoActionName == "Rate Coffee")
        try app.undo()
        #expect(coffee.rating == nil && !app.managedObjectContext.hasChanges)
        try app.redo()
        #expect(coffee.rating == 4)
        try app.remove(coffee)
        #expect(app.undoActionName == "Remove Coffee")
        try app.save()
        #expect(try stored().isEmpty)
        // The saved removal becomes a new object with the old values.
        try app.undo()
        try app.save()
        #expect(try stored().map(\.rating) == [4])
    }

    @Test("The second version opens the store of the first; its new entity gets a second store")
    func secondVersion() throws {
        let first = try CoffeeApp(documents: folder.url)
        _ = try first.add("Sumatra", brand: "Harbour Roasters")
        try first.save()

        // For all entities, the store does not fit the second version.
        let error = #expect(throws: GranaryError.self) {
            try PersistentContainer(model: CoffeeModel.secondVersion, store: .sqlite(file("db/AppDataDb.sqlite")))
        }
        #expect(error?.coreDataCode == 134_100)
        #expect(error?.diagnostics.map(\.entity) == ["Tasting"])

        for number in 1...2 {
            let second = try CoffeeApp(documents: folder.url, model: CoffeeModel.secondVersion)
            let stores = second.persistentStoreCoordinator.persistentStores
            #expect(stores.map(\.configurationName) == ["AppData", "AppData 2"])
            #expect(try second.coffees().last?.name == "Sumatra")
            try second.managedObjectContext.insert(into: "Tasting").setValue("Sumatra", forKey: "coffee")
            _ = try second.add("Java \(number)", brand: "Fog & Sons")
            try second.save()
            #expect(try second.managedObjectContext.count("Tasting") == number)
        }
        #expect(try files() == ["AppDataDb 2.sqlite", "AppDataDb.sqlite", "AppDataModel.momd"])
        // The first version still opens its store, with what the second has added.
        #expect(try stored().map(\.name) == ["Java 1", "Java 2", "Sumatra"])
    }

    @Test("A new folder gets one store for all entities of the second version")
    func newStore() throws {
        for _ in 0..<2 {
            let app = try CoffeeApp(documents: folder.url, model: CoffeeModel.secondVersion)
            #expect(app.persistentStoreCoordinator.persistentStores.count == 1)
        }
        #expect(try files() == ["AppDataDb.sqlite", "AppDataModel.momd"])
    }

    @Test("Coffees in an archive store come back with every digit")
    func objectArchive() async throws {
        let archive = file("Coffee.archive")
        let rating = try #require(Decimal(string: "4.2345678901234567890123456789"))
        let coffees = [
            CoffeeValue(name: "Sumatra", brand: "Harbour Roasters", rating: rating),
            CoffeeValue(name: "Crème", brand: "Fog & Sons", rating: nil),
        ]
        try await CoffeeShelf(model: CoffeeModel.model, archive: archive).add(coffees)
        #expect(try Data(contentsOf: archive).starts(with: Data("bplist00".utf8)))
        #expect(try await CoffeeShelf(model: CoffeeModel.model, archive: archive).coffees() == coffees)
    }
}
