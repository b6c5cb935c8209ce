import Foundation
import Granary
import TestSupport
import Testing

/// Coordinators and the stores that they attach: metadata, object IDs, migration and removal.
@Suite("Coordinators and stores") struct CoordinatorTests {
    private let folder: TemporaryFolder
    private let model: ManagedObjectModel
    private var url: URL { folder.url.appending(path: "Store.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        var model = ManagedObjectModel(entities: [
            EntityDescription("Cup", [.attribute("name", .string)]), EntityDescription("Plate", []),
        ])
        model.versionIdentifiers = ["v1"]
        model.configurations = [ConfigurationDescription(name: "Cups", entityNames: ["Cup"])]
        self.model = model
    }

    /// A coordinator with the store, which contains a cup.
    private func coordinator() throws -> (PersistentStoreCoordinator, PersistentStore, ManagedObjectID) {
        let coordinator = PersistentStoreCoordinator(schema: try model.resolved())
        let store = try coordinator.addPersistentStore(PersistentStoreDescription(.sqlite(url)))
        let context = ManagedObjectContext(coordinator)
        let cup = try context.insert(into: "Cup")
        try cup.setValue("A", forKey: "name")
        try context.save()
        return (coordinator, store, cup.objectID)
    }

    private static let values: [String: PersistentStoreMetadata.Value] = [
        "text": "a", "integer": 7, "real": 0.5, "yes": true, "large": .unsigned(.max),
        "date": .date(Date(timeIntervalSinceReferenceDate: 1)), "data": .data(Data([1, 2])),
        "list": .array([1, "b"]), "table": .dictionary(["x": .string("y"), "n": .integer(1), "r": .real(2.5)]),
    ]

    @Test("Metadata is read and written, on an open store and on a file")
    func metadata() throws {
        let (coordinator, store, _) = try coordinator()
        try store.setMetadata(Self.values)
        let metadata: PersistentStoreMetadata = store.metadata
        #expect(metadata.values == Self.values && metadata.values["yes"] == .boolean(true))
        #expect(metadata.identifier == store.identifier && metadata.type == "SQLite")
        #expect(metadata.frameworkVersion ?? 0 > 0)
        #expect(metadata.modelVersionIdentifiers == ["v1"])
        #expect(metadata.modelVersionHashes == coordinator.schema.versionHashes)
        let error = #expect(throws: GranaryError.self) { try store.setMetadata(["NSStoreType": 1]) }
        #expect(error?.code == .usage)

        try coordinator.remove(store)
        #expect(try PersistentStoreCoordinator.metadataForPersistentStore(at: .sqlite(url)) == metadata)
        try PersistentStoreCoordinator.setMetadata(["Seed": 3], forPersistentStoreAt: .sqlite(url))
        let changed = try PersistentStoreCoordinator.metadataForPersistentStore(at: .sqlite(url))
        #expect(changed.values == ["Seed": 3])
        #expect(try model.isConfiguration(withName: nil, compatibleWithStoreMetadata: changed))
        #expect(try !model.isConfiguration(withName: "Cups", compatibleWithStoreMetadata: changed))
    }

    @Test("A store is migrated to an archive, and destroyed")
    func migrating() throws {
        let (coordinator, store, id) = try coordinator()
        let location = StoreLocation.archive(folder.url.appending(path: "Store.archive"), .xml)
        let new = try coordinator.migratePersistentStore(store, to: PersistentStoreDescription(location))
        let migration: ObjectIDMapping = try #require(new.objectIDMapping)
        #expect(migration.sourceIdentifier == store.identifier && migration.destinationIdentifier == new.identifier)
        let newID = try #require(migration.objectID(for: id))
        #expect(migration.objectID(for: newID) == nil)
        let context = ManagedObjectContext(coordinator)
        #expect(try context.existingObject(with: newID)["name"] == "A")
        #expect(FileManager.default.fileExists(atPath: url.path))

        let error = #expect(throws: GranaryError.self) { try coordinator.destroyPersistentStore(at: location) }
        #expect(error?.code == .usage)
        try coordinator.destroyPersistentStore(at: .sqlite(url))
        #expect(!FileManager.default.fileExists(atPath: url.path))
        try coordinator.destroyPersistentStore(at: .sqlite(url))
    }

    @Test("A new object is assigned to a store")
    func assigning() throws {
        let coordinator = PersistentStoreCoordinator(schema: try model.resolved())
        let stores = try ["A", "B"].map { name in
            try coordinator.addPersistentStore(
                PersistentStoreDescription(.sqlite(folder.url.appending(path: name + ".sqlite"))))
        }
        let context = ManagedObjectContext(coordinator)
        let cups = try stores.map { store in
            let cup = try context.insert(into: "Cup")
            try context.assign(cup, to: store)
            return cup
        }
        try context.save()
        #expect(cups.map(\.objectID.storeIdentifier) == stores.map(\.identifier))
        let error = #expect(throws: GranaryError.self) { try context.assign(cups[0], to: stores[1]) }
        #expect(error?.code == .usage)
        var request = FetchRequest("Cup")
        request.affectedStores = [stores[1].identifier]
        #expect(try context.fetch(request) == [cups[1]])
    }
}
