import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Shipping stores") struct ShippingTests {
    /// A new store with some nodes and badges, shipped before or after it is published.
    private func build(_ folder: TemporaryFolder, publishFirst: Bool, rows: Int64 = 300) throws -> SQLiteStore {
        let schema = try ExternalBench.model.resolved()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        try store.transaction { writer in
            for key in 1...rows {
                let length = key % 50 == 0 ? ExternalBench.long : Int(key)
                let data = ExternalBench.bytes(length, seed: UInt8(truncatingIfNeeded: key))
                try writer.insert(ExternalBench.row(ExternalBench.photo, key, [0: data]))
            }
            try writer.delete(entity: ExternalBench.photo, keys: Array(10...20))
        }
        if publishFirst { try store.publish() }
        try store.ship(identifier: nil)
        try store.publish()
        return store
    }

    @Test("The same rows give the same bytes", arguments: [true, false]) func sameBytes(_ publishFirst: Bool) throws {
        let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
        let store = try build(first, publishFirst: publishFirst)
        let again = try build(second, publishFirst: publishFirst)
        #expect(store.identifier == again.identifier)
        #expect(UUID(uuidString: store.identifier) != nil)
        let stored = try store.connection.text("SELECT Z_UUID FROM Z_METADATA")
        #expect(store.metadata.identifier == stored)
        let bytes = try [first, second].map { try Data(contentsOf: URL(filePath: $0.storePath)) }
        #expect(bytes[0] == bytes[1])
        let names = try FileManager.default.contentsOfDirectory(atPath: first.url.path).sorted()
        #expect(names == [".Store_SUPPORT", "Store.sqlite"])
        #expect(try store.connection.integer(pragma: "freelist_count") == 0)
        #expect(try store.connection.integer(pragma: "auto_vacuum") == 2)
        let other = try build(try TemporaryFolder(), publishFirst: publishFirst, rows: 299)
        #expect(other.identifier != store.identifier)
    }

    @Test("An existing store keeps its UUID and loses its write-ahead log") func existing() throws {
        let folder = try TemporaryFolder()
        let schema = try ExternalBench.model.resolved()
        let identifier = try #require(UUID(uuidString: "01234567-89AB-4CDE-8123-456789ABCDEF"))
        try SQLiteStore.create(path: folder.storePath, schema: schema, identifier: identifier).publish()
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema)
        #expect(try store.connection.text(pragma: "journal_mode = WAL") == "wal")
        try store.transaction { try $0.insert(ExternalBench.row(ExternalBench.photo, 1, [:])) }
        try store.ship(identifier: nil)
        #expect(store.identifier == identifier.uuidString)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Store.sqlite"])
        let other = UUID()
        try store.ship(identifier: other)
        #expect(store.identifier == other.uuidString)
        try store.transaction { try $0.insert(ExternalBench.row(ExternalBench.photo, 2, [:])) }
    }
}
