import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

/// Whether a store fits a model, asked without opening it, and opened without being asked.
@Suite("Models and stores that exist") struct ModelCompatibilityTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let model: ManagedObjectModel = {
        var model = ManagedObjectModel(entities: [
            EntityDescription("A", [.attribute("name", .string)]),
            EntityDescription("B", [.attribute("size", .integer16)]),
        ])
        model.configurations = [ConfigurationDescription(name: "OnlyA", entityNames: ["A"])]
        return model
    }()

    /// The same columns, and another version hash.
    private static let stricter: ManagedObjectModel = {
        var model = Self.model
        model.entities[0].attributes[0].isOptional = false
        return model
    }()

    @Test("A configuration fits the stores that were made for it", arguments: [StoreType.sqlite, .archive])
    func configurations(_ kind: StoreType) throws {
        for (name, configuration) in [("Whole", nil), ("Part", "OnlyA")] {
            var description = PersistentStoreDescription(kind.location(name, in: folder))
            description.configuration = configuration
            _ = try PersistentContainer(Self.model, [description])
        }
        let metadata = try ["Whole", "Part"].map {
            try PersistentStoreCoordinator.metadataForPersistentStore(at: kind.location($0, in: folder))
        }
        func fits(_ model: ManagedObjectModel, _ name: String?) throws -> [Bool] {
            try metadata.map { try model.isConfiguration(withName: name, compatibleWithStoreMetadata: $0) }
        }
        #expect(try fits(Self.model, nil) == [true, false])
        #expect(try fits(Self.model, "PF_DEFAULT_CONFIGURATION_NAME") == [true, false])
        #expect(try fits(Self.model, "OnlyA") == [false, true])
        #expect(try fits(Self.stricter, nil) == [false, false])
        #expect(try fits(Self.stricter, "OnlyA") == [false, false])
        let error = #expect(throws: GranaryError.self) { try fits(Self.model, "OnlyB") }
        #expect(error?.code == .usage)
    }

    @Test("A store is opened without comparing version hashes where that is asked for")
    func ignoredVersions() throws {
        let location = StoreLocation.sqlite(folder.url.appending(path: "Store.sqlite"))
        let writer = try PersistentContainer(model: Self.model, store: location).makeContext()
        try writer.insert(into: "A").setValue("x", forKey: "name")
        try writer.save()
        var description = PersistentStoreDescription(location)
        description.migratesAutomatically = false
        #expect(throws: GranaryError.self) { try PersistentContainer(Self.stricter, [description]) }
        description.ignoresModelVersioning = true
        for isReadOnly in [true, false] {
            description.isReadOnly = isReadOnly
            let context = try PersistentContainer(Self.stricter, [description]).makeContext()
            let objects = try context.fetchAll("A")
            #expect(objects.map { $0["name"] } == ["x"])
            guard !isReadOnly else { continue }
            // The rules are those of the model it was opened with.
            try objects[0].setValue(nil, forKey: "name")
            #expect(throws: GranaryError.self) { try context.save() }
            try objects[0].setValue("y", forKey: "name")
            try context.save()
        }
        // A table without a column that the model has is refused all the same.
        var wider = Self.model
        wider.entities[0].attributes.append(AttributeDescription(name: "more", type: .string))
        let error = #expect(throws: GranaryError.self) { try PersistentContainer(wider, [description]) }
        #expect(error?.diagnostics.map(\.code) == [.storeLayout])
    }

    @Test("Contexts and stores keep a program's own values; entities have the model's")
    func userInfo() throws {
        var model = Self.model
        model.entities[0].userInfo = ["key": "value"]
        let container = try PersistentContainer(model: model, store: .inMemory)
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        store.userInfo["count"] = 3
        #expect(container.persistentStoreCoordinator.persistentStores.first?.userInfo["count"] as? Int == 3)
        let context = container.makeContext()
        context.userInfo["owner"] = "test"
        let object = try context.insert(into: "A")
        #expect(object.managedObjectContext?.userInfo["owner"] as? String == "test")
        #expect(object.entity.userInfo == ["key": "value"])
        #expect(container.makeContext().userInfo.isEmpty)
    }
}
