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

@Suite("Creating a new store") struct CreationTests {
    private let schema: Schema
    private let folder: TemporaryFolder

    init() throws {
        schema = try OpeningTests.model.resolved()
        folder = try TemporaryFolder()
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    private func insertAuthor(_ key: Int64, into store: SQLiteStore) throws {
        var batch = RowBatch()
        batch.appendRow(entity: 0, key: key, version: 1, slotCount: schema.entities[0].slotCount)
        try store.transaction { try $0.insert(batch) }
    }

    @Test("A new store has a temporary name until it is published, and leaves no other file")
    func publishing() throws {
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        #expect(!store.isPublished)
        #expect(try names.count == 1)
        #expect(try !names.contains("Store.sqlite"))
        try insertAuthor(1, into: store)
        try store.publish()
        #expect(store.isPublished)
        #expect(try names == ["Store.sqlite"])
        // The store can be used under its final name.
        try insertAuthor(2, into: store)
        #expect(try store.count(entity: 0) == 2)
        try store.publish()
        let header = try Data(contentsOf: URL(filePath: folder.storePath)).prefix(20)
        #expect(Array(header.suffix(2)) == [1, 1])
        let other = try SQLiteStore.open(path: folder.storePath, schema: schema)
        #expect(other.identifier == store.identifier)
        #expect(try other.count(entity: 0) == 2)
        #expect(try other.connection.text(pragma: "integrity_check") == "ok")
        #expect(try names == ["Store.sqlite"])
    }

    @Test("A store that is never published leaves no files")
    func givenUp() throws {
        do {
            let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
            try insertAuthor(1, into: store)
            #expect(throws: (any Error).self) {
                try store.transaction { _ in throw GranaryError(.refused, "stop") }
            }
        }
        #expect(try names == [])
    }

    @Test("An existing file is never replaced, even if it is created later")
    func neverReplaces() throws {
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        _ = try folder.write("mine", to: "Store.sqlite")
        let late = #expect(throws: GranaryError.self) { try store.publish() }
        #expect(late?.code == .uncreatable)
        let error = #expect(throws: GranaryError.self) {
            try SQLiteStore.create(path: folder.storePath, schema: schema)
        }
        #expect(error?.code == .uncreatable)
        #expect(try String(contentsOfFile: folder.storePath, encoding: .utf8) == "mine")
        let refused = #expect(throws: GranaryError.self) {
            try SQLiteStore.openOrCreate(path: folder.storePath, schema: schema)
        }
        #expect(refused?.code == .refused)
        #expect(try String(contentsOfFile: folder.storePath, encoding: .utf8) == "mine")
    }

    @Test("A dangling symbolic link counts as a file")
    func danglingLink() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.storePath, withDestinationPath: "nowhere")
        let error = #expect(throws: GranaryError.self) {
            try SQLiteStore.create(path: folder.storePath, schema: schema)
        }
        #expect(error?.code == .uncreatable)
        #expect(try names == ["Store.sqlite"])
    }

    @Test(
        "A journal of an earlier store is refused: SQLite would apply it to the new one",
        arguments: ["-journal", "-wal"])
    func leftJournal(_ suffix: String) throws {
        _ = try folder.write("old", to: "Store.sqlite" + suffix)
        let error = #expect(throws: GranaryError.self) {
            try SQLiteStore.openOrCreate(path: folder.storePath, schema: schema)
        }
        #expect(error?.code == .uncreatable)
        #expect(error?.message.contains("Store.sqlite\(suffix) belongs to an earlier store") == true)
        #expect(try names == ["Store.sqlite" + suffix])
    }

    @Test(
        "If the folder is missing or is not a folder, the message has the store's final name",
        arguments: ["no/such/folder/x", "file/x"])
    func noFolder(_ name: String) throws {
        _ = try folder.write("", to: "file")
        let path = folder.url.appending(path: name).path
        let error = #expect(throws: GranaryError.self) { try SQLiteStore.create(path: path, schema: schema) }
        #expect(error?.code == .uncreatable)
        #expect(error?.message.contains("\(path):") == true)
        #expect(error?.message.contains("partial") == false)
        #expect(try names == ["file"])
    }

    @Test("openOrCreate opens the store that it created")
    func openOrCreate() throws {
        let first = try SQLiteStore.openOrCreate(path: folder.storePath, schema: schema)
        try insertAuthor(1, into: first)
        let second = try SQLiteStore.openOrCreate(path: folder.storePath, schema: schema)
        #expect(second.identifier == first.identifier)
        #expect(try second.count(entity: 0) == 1)
        #expect(try names == ["Store.sqlite"])
    }

    @Test("The same model gives the same bytes except the identifier")
    func sameBytes() throws {
        let stores = try ["a", "b"].map { name in
            let path = folder.url.appending(path: name).path
            let store = try SQLiteStore.create(path: path, schema: schema)
            try store.publish()
            return (try Data(contentsOf: URL(filePath: path)), Data(store.identifier.utf8))
        }
        #expect(stores[0].0 != stores[1].0)
        var copy = stores[1].0
        while let place = copy.range(of: stores[1].1) { copy.replaceSubrange(place, with: stores[0].1) }
        #expect(copy == stores[0].0)
    }

    @Test("An error thrown in a transaction is passed on unchanged")
    func foreignErrors() throws {
        struct Own: Error {}
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        #expect(throws: Own.self) { try store.transaction { _ in throw Own() } }
        #expect(throws: Own.self) {
            try insertAuthor(1, into: store)
            try store.read(entities: 0..<1, batchSize: 1) { _ in throw Own() }
        }
    }

    @Test("New keys are larger than keys of rows missing in Z_PRIMARYKEY")
    func keysBehindRows() throws {
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        try store.connection.execute("INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT) VALUES (41, 1, 1)")
        let first = try store.transaction { try $0.reserveKeys(root: 0, count: 2) }
        #expect(first == 42)
        #expect(try store.connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1") == 43)
        try store.transaction { try $0.reserveKeys(root: 0, through: .max - 1) }
        let error = #expect(throws: GranaryError.self) {
            try store.transaction { try $0.reserveKeys(root: 0, count: 1) }
        }
        #expect(error?.code == .refused)
    }
}
