import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Destroying a store") struct DestroyingTests {
    private let folder: TemporaryFolder
    private let coordinator: PersistentStoreCoordinator

    init() throws {
        folder = try TemporaryFolder()
        coordinator = PersistentStoreCoordinator(schema: try ExternalBench.model.resolved())
    }

    /// Makes a store with a value that lies in a file, where it can.
    private func make(_ location: StoreLocation) throws {
        let context = try PersistentContainer(model: ExternalBench.model, store: location).makeContext()
        let data = ExternalBench.bytes(ExternalBench.long)
        try context.insert(into: "Photo").setValue(.binary(data), forKey: "data")
        try context.save()
    }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    @Test("The file goes, and all that belongs to it", arguments: StoreType.allCases)
    func everything(_ kind: StoreType) throws {
        let location = kind.location("Store.x", in: folder)
        try make(location)
        try make(.sqlite(folder.url.appending(path: "Other.sqlite")))
        try coordinator.destroyPersistentStore(at: location)
        #expect(try folder.names == [".Other_SUPPORT", "Other.sqlite"])
        // As in Core Data, what is not there is no error.
        try coordinator.destroyPersistentStore(at: location)
        if kind != .inMemory { try make(location) }
    }

    @Test("A write-ahead log goes too; where somebody has it open, nothing goes")
    func writeAheadLog() throws {
        let location = StoreType.sqlite.location("Store.sqlite", in: folder)
        try make(location)
        do {
            let connection = try Connection(path: path("Store.sqlite"), mode: .readWrite)
            _ = try connection.text(pragma: "journal_mode = WAL")
            try connection.execute("UPDATE ZPHOTO SET Z_OPT = 5")
            #expect(try folder.names.contains("Store.sqlite-wal"))
            let error = #expect(throws: GranaryError.self) {
                try coordinator.destroyPersistentStore(at: location, timeout: .zero)
            }
            #expect(error?.code == .busy)
            #expect(try connection.integer("SELECT Z_OPT FROM ZPHOTO") == 5)
            try connection.close()
        }
        try coordinator.destroyPersistentStore(at: location)
        #expect(try folder.names == [])
    }

    @Test("A store that another process writes stays")
    func locked() throws {
        let location = StoreType.sqlite.location("Store.sqlite", in: folder)
        try make(location)
        let connection = try Connection(path: path("Store.sqlite"), mode: .readWrite)
        try connection.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: GranaryError.self) {
            try coordinator.destroyPersistentStore(at: location, timeout: .zero)
        }
        #expect(error?.code == .busy)
        try connection.execute("ROLLBACK")
        #expect(try folder.names == [".Store_SUPPORT", "Store.sqlite"])
    }

    @Test("A file that is no store of that kind stays", arguments: [StoreType.sqlite, .archive])
    func foreign(_ kind: StoreType) throws {
        _ = try folder.write("a text, long enough to be a header of a file", to: "Text")
        _ = try folder.write("", to: "Empty")
        let database = try Connection(path: path("Database"), mode: .create)
        try database.execute("CREATE TABLE A (B)")
        try database.close()
        try make((kind == .sqlite ? StoreType.archive : .sqlite).location("Other", in: folder))
        let before = try folder.names
        for name in ["Text", "Empty", "Database", "Other"] {
            #expect(throws: GranaryError.self, "\(name)") {
                try coordinator.destroyPersistentStore(at: kind.location(name, in: folder))
            }
        }
        #expect(try folder.names == before)
    }

    @Test("A store that the coordinator has is removed from it first", arguments: [StoreType.sqlite, .archive])
    func attached(_ kind: StoreType) throws {
        let location = kind.location("Store", in: folder)
        let store = try coordinator.addPersistentStore(PersistentStoreDescription(location))
        let error = #expect(throws: GranaryError.self) { try coordinator.destroyPersistentStore(at: location) }
        #expect(error?.code == .usage)
        try coordinator.remove(store)
        try coordinator.destroyPersistentStore(at: location)
        #expect(try folder.names == [])
    }

    @Test("Two stores whose names differ in the extension share their files: these stay with the other")
    func sharedFolder() throws {
        let (first, second) = (
            StoreType.sqlite.location("A.sqlite", in: folder), StoreType.sqlite.location("A.db", in: folder)
        )
        try make(first)
        try make(second)
        _ = try folder.write("text", to: "A.txt")
        try coordinator.destroyPersistentStore(at: first)
        #expect(try folder.names == [".A_SUPPORT", "A.db", "A.txt"])
        let context = try PersistentContainer(model: ExternalBench.model, store: second).makeContext()
        #expect(try context.fetchAll("Photo").first?["data"] == .binary(ExternalBench.bytes(ExternalBench.long)))
        try coordinator.destroyPersistentStore(at: second)
        #expect(try folder.names == ["A.txt"])
    }

    @Test("A link goes with the file that it leads to")
    func link() throws {
        let location = StoreType.sqlite.location("Store.sqlite", in: folder)
        try make(location)
        try FileManager.default.createSymbolicLink(
            atPath: path("Link.sqlite"), withDestinationPath: path("Store.sqlite"))
        try coordinator.destroyPersistentStore(at: .sqlite(folder.url.appending(path: "Link.sqlite")))
        #expect(try folder.names == [])
    }
}
