import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Metadata of stores") struct StoreMetadataTests {
    private typealias Coordinator = PersistentStoreCoordinator

    private static let values: [String: PersistentStoreMetadata.Value] = [
        "text": "e\u{301} <&>", "number": -5, "large": .unsigned(.max), "fraction": 0.5, "flag": true,
        "date": .date(Date(timeIntervalSinceReferenceDate: 12)), "data": .data(Data([0, 255])),
        "list": .array([1, "a", .array([])]),
        "tree": .dictionary(["a": .dictionary(["b": false]), "": 1]),
    ]

    private static let files: [StoreType] = [.sqlite, .archive, .xmlArchive]

    @Test("They are read and written without the model; all else stays", arguments: files)
    func closed(_ kind: StoreType) throws {
        let folder = try TemporaryFolder()
        let location = kind.location("Store", in: folder)
        let before: StoreContent
        let identifier: String
        do {
            let container = try PersistentContainer(model: PeopleModel.model, store: location)
            let context = container.makeContext()
            try context.insert(into: "Person").add(try context.insert(into: "Pet"), forKey: "pets")
            try context.save()
            before = try container.content
            identifier = container.persistentStoreCoordinator.storeIdentifier
        }
        let empty = try Coordinator.metadataForPersistentStore(at: location)
        #expect(empty.identifier == identifier)
        #expect(empty.type == (kind == .sqlite ? "SQLite" : "Archive"))
        let hashes = try PeopleModel.model.resolved().versionHashes
        #expect(empty.modelVersionHashes == hashes)
        #expect(empty.modelVersionIdentifiers == [])
        #expect(empty.frameworkVersion != nil)
        #expect(empty.values == [:])

        try Coordinator.setMetadata(Self.values, forPersistentStoreAt: location)
        let full = try Coordinator.metadataForPersistentStore(at: location)
        #expect(full.values == Self.values)
        #expect(full.identifier == identifier && full.modelVersionHashes == empty.modelVersionHashes)
        // They are replaced, not added to.
        try Coordinator.setMetadata(["Seed": 1], forPersistentStoreAt: location)
        let container = try PersistentContainer(model: PeopleModel.model, store: location)
        #expect(container.persistentStoreCoordinator.persistentStores.map(\.metadata.values) == [["Seed": 1]])
        #expect(try container.content == before)
        #expect(try folder.names == ["Store"])
    }

    @Test("Only the one column of an SQLite store is written")
    func oneColumn() throws {
        let folder = try TemporaryFolder()
        let location = StoreType.sqlite.location("Store", in: folder)
        _ = try PersistentContainer(model: PeopleModel.model, store: location)
        func dump() throws -> [String] {
            let connection = try Connection(path: folder.url.appending(path: "Store").path, mode: .readOnly)
            var found: [String] = []
            for query in [
                "SELECT group_concat(name || ifnull(sql, '')) FROM sqlite_master",
                "SELECT group_concat(Z_ENT || Z_NAME || Z_SUPER || Z_MAX) FROM Z_PRIMARYKEY",
                "SELECT group_concat(Z_VERSION || Z_UUID) FROM Z_METADATA",
            ] {
                found.append(try connection.text(query) ?? "")
            }
            return found
        }
        let before = try dump()
        try Coordinator.setMetadata(["Seed": 1], forPersistentStoreAt: location)
        #expect(try dump() == before)
    }

    @Test(
        "Core Data's own are not an app's to write",
        arguments: ["NSStoreUUID", "NSStoreModelVersionHashes", "_NSAny", "GranaryLastKeys"])
    func ownKeys(_ key: String) throws {
        let folder = try TemporaryFolder()
        let location = StoreType.archive.location("Store", in: folder)
        let container = try PersistentContainer(model: PeopleModel.model, store: location)
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        for _ in 0..<2 {
            let error = #expect(throws: GranaryError.self) { try store.setMetadata([key: 1, "Mine": 2]) }
            #expect(error?.code == .usage)
        }
        #expect(throws: GranaryError.self) { try Coordinator.setMetadata([key: 1], forPersistentStoreAt: location) }
        #expect(store.metadata.values == [:])
    }

    @Test("What cannot be kept is refused")
    func refused() throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        var deep = PersistentStoreMetadata.Value.array([])
        for _ in 0..<200 { deep = .array([deep]) }
        let tooDeep = deep
        let depth = #expect(throws: GranaryError.self) { try store.setMetadata(["deep": tooDeep]) }
        #expect(depth?.diagnostics.map(\.code) == [.limitExceeded])
        let date = #expect(throws: GranaryError.self) {
            try store.setMetadata(["date": .date(Date(timeIntervalSinceReferenceDate: .nan))])
        }
        #expect(date?.diagnostics.map(\.code) == [.valueRange])
    }

    @Test("An open store's are written at once", arguments: StoreType.allCases)
    func attached(_ kind: StoreType) throws {
        let folder = try TemporaryFolder()
        let location = kind.location("Store", in: folder)
        let container = try PersistentContainer(model: PeopleModel.model, store: location)
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        #expect(store.metadata.identifier == store.identifier)
        try store.setMetadata(Self.values)
        #expect(store.metadata.values == Self.values)
        let context = container.makeContext()
        try context.insert(into: "Pet")
        try context.save()
        #expect(store.metadata.values == Self.values)
        guard kind != .inMemory else { return }
        #expect(try Coordinator.metadataForPersistentStore(at: location) == store.metadata)
        var description = PersistentStoreDescription(location)
        description.isReadOnly = true
        let reader = try PersistentContainer(PeopleModel.model, [description])
        let closed = try #require(reader.persistentStoreCoordinator.persistentStores.first)
        #expect(closed.metadata.values == Self.values)
        let error = #expect(throws: GranaryError.self) { try closed.setMetadata([:]) }
        #expect(error?.code == .usage)
    }

    @Test("What is no store has no metadata", arguments: files)
    func noStore(_ kind: StoreType) throws {
        let folder = try TemporaryFolder()
        let missing = kind.location("Missing", in: folder)
        #expect(throws: GranaryError.self) { try Coordinator.metadataForPersistentStore(at: missing) }
        #expect(throws: GranaryError.self) { try Coordinator.setMetadata([:], forPersistentStoreAt: missing) }
        #expect(throws: GranaryError.self) { try Coordinator.metadataForPersistentStore(at: .inMemory) }
        let file = try folder.write("any text, and enough of it to have a header", to: "Text")
        let text = kind.location("Text", in: folder)
        let error = #expect(throws: GranaryError.self) { try Coordinator.metadataForPersistentStore(at: text) }
        #expect(error?.code == .refused)
        #expect(throws: GranaryError.self) { try Coordinator.setMetadata([:], forPersistentStoreAt: text) }
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("any text"))
        #expect(try folder.names == ["Text"])
    }
}
