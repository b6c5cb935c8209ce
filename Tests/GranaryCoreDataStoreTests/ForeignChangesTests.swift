import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranaryRecords
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

/// Changes by other programs while a store is open, and unusual content of stores.
@Suite("Stores changed by other programs") struct ForeignChangesTests {
    private let folder: TemporaryFolder
    private let location: StoreLocation

    init() throws {
        folder = try TemporaryFolder()
        location = .sqlite(folder.url.appending(path: "Store.sqlite"))
    }

    private func container(tracksHistory: Bool = false) throws -> PersistentContainer {
        var description = PersistentStoreDescription(location)
        description.tracksHistory = tracksHistory
        let container = try PersistentContainer(name: "Store", model: PeopleModel.model, descriptions: [])
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        return container
    }

    private func execute(_ sql: String) throws {
        try Connection(path: folder.url.appending(path: "Store.sqlite").path, mode: .readWrite).execute(sql)
    }

    @Test("If another program creates a history, the store must be reopened")
    func historyBegun() throws {
        let first = try container().makeContext()
        _ = try first.person("Ann")
        try first.save()
        let second = try container(tracksHistory: true)
        _ = try first.person("Bob")
        let error = #expect(throws: GranaryError.self) { try first.save() }
        #expect(error?.code == .busy && error?.message.contains("open it again") == true)
        #expect(first.insertedObjects.count == 1)
        let context = second.makeContext()
        _ = try context.person("Cid")
        try context.save()
        #expect(try second.persistentStoreCoordinator.fetchHistory().count == 1)
    }

    @Test("A foreign trigger created while the store is open prevents writing")
    func triggerMade() throws {
        let context = try container().makeContext()
        _ = try context.person("Ann")
        try execute("CREATE TRIGGER x AFTER INSERT ON ZPERSON BEGIN DELETE FROM ZPERSON; END")
        #expect(throws: GranaryError.self) { try context.save() }
    }

    @Test("A version that cannot be incremented is refused", arguments: [Int64.max, -1])
    func versions(_ version: Int64) throws {
        let context = try container().makeContext()
        _ = try context.person("Ann")
        try context.save()
        try execute("UPDATE ZPERSON SET Z_OPT = \(version)")
        let error = #expect(throws: GranaryError.self) { _ = try container().makeContext().fetchAll("Person") }
        #expect(error?.diagnostics.map(\.code) == [.storeCorrupt])
    }

    @Test("An import does not use the author of an earlier save")
    func bulkAuthor() throws {
        let container = try container(tracksHistory: true)
        let context = container.makeContext()
        context.transactionAuthor = "app"
        _ = try context.person("Ann")
        try context.save()
        let row = try #require(container.schema.entity(named: "Pet"))
        try container.withStore { store in
            try store.transaction { writer in
                var batch = RowBatch()
                batch.appendRow(entity: row.index, key: 1, version: 1, slotCount: row.slotCount)
                try writer.insert(batch)
            }
        }
        let history = try container.persistentStoreCoordinator.fetchHistory()
        #expect(history.map(\.author) == ["app", nil])
    }

    @Test(
        "Keys of deleted objects are not reused in a migrated store",
        arguments: StoreType.allCases)
    func lastKeys(_ kind: StoreType) throws {
        let container = try container()
        let context = container.makeContext()
        let people = try ["Ann", "Bob"].map { try context.person($0) }
        try context.save()
        let gone = people[1].objectID.uriRepresentation.lastPathComponent
        try context.delete(people[1])
        try context.save()
        let coordinator = container.persistentStoreCoordinator
        let store = try #require(coordinator.persistentStores.first)
        try coordinator.migratePersistentStore(
            store, to: PersistentStoreDescription(kind.location("New.store", in: folder)))
        let fresh = container.makeContext()
        let new = try fresh.person("Cid")
        try fresh.save()
        #expect(gone == "p2" && new.objectID.uriRepresentation.lastPathComponent == "p3")
    }

    @Test("NULL in an archive stays NULL when the model gets a default later")
    func laterDefault() throws {
        var model = ManagedObjectModel(entities: [EntityDescription("Thing", [.attribute("rating", .integer32)])])
        let archive = StoreLocation.archive(folder.url.appending(path: "Things.plist"), .xml)
        let context = try PersistentContainer(model: model, store: archive).makeContext()
        try context.insert(into: "Thing")
        try context.save()
        model.entities = [EntityDescription("Thing", [.attribute("rating", .integer32, .defaultValue(7))])]
        let again = try PersistentContainer(model: model, store: archive).makeContext()
        let thing = try #require(try again.fetchAll("Thing").first)
        #expect(thing["rating"] == nil)
        #expect(try again.insert(into: "Thing")["rating"] == 7)
    }

    @Test("If two stores share a support folder, destroying one removes only its files")
    func sharedSupport() throws {
        let data = ExternalBench.bytes(ExternalBench.long)
        var containers: [PersistentContainer] = []
        for name in ["A.sqlite", "A.db"] {
            let container = try PersistentContainer(
                model: ExternalBench.model, store: .sqlite(folder.url.appending(path: name)))
            let context = container.makeContext()
            try context.insert(into: "Photo").setValue(.binary(data), forKey: "data")
            try context.save()
            containers.append(container)
        }
        let other = PersistentStoreCoordinator(schema: containers[0].schema)
        let first = try #require(containers[0].persistentStoreCoordinator.persistentStores.first)
        try containers[0].persistentStoreCoordinator.remove(first)
        try other.destroyPersistentStore(at: .sqlite(folder.url.appending(path: "A.sqlite")))
        #expect(try folder.names == [".A_SUPPORT", "A.db"])
        let photo = try containers[1].makeContext().fetchAll("Photo").first
        #expect(try photo?.data(forKey: "data") == data)
    }
}
