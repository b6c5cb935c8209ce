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

@Suite("A history that Core Data started", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
struct RealHistoryTests {
    /// A copy of a real store with a history, and a model written from its tables. The model's hashes differ from the
    /// app's, so the copy gets metadata that match.
    private static func store(in folder: TemporaryFolder) throws -> SQLiteStore {
        let real = try #require(RealStore.all.first { $0.path.hasSuffix("SampleModel2_V2.sqlite") })
        let path = try real.copy(to: folder)
        let schema = try RealStoreLayoutTests.bookModel.resolved()
        let other = try SQLiteStore.create(path: folder.storePath, schema: schema)
        let list = try other.connection.prepare("SELECT Z_PLIST FROM Z_METADATA")
        try #require(try list.step())
        let bytes = Array(try list.blob(at: 0))
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.withStatement("UPDATE Z_METADATA SET Z_PLIST = ?") { statement in
            try bytes.withUnsafeBufferPointer { try statement.bindBlob($0, at: 1) }
            try statement.run()
        }
        try connection.close()
        return try SQLiteStore.open(path: path, schema: schema)
    }

    @Test("The history is read")
    func read() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(in: folder)
        #expect(try store.lastHistoryTransaction() == 1)
        let found = try store.historyTransactions(after: 0)
        #expect(found.map(\.transactionNumber) == [1])
        let first = try #require(found.first)
        #expect(first.author == nil)
        #expect(first.contextName == nil)
        #expect(first.bundleID == "com.apple.dt.xctest.tool")
        #expect(first.processID == "xctest")
        #expect(abs(first.timestamp.timeIntervalSinceReferenceDate - 737_057_651.681_977) < 0.000_01)
        #expect(first.changes.count == 126)
        #expect(first.changes.allSatisfy { $0.changeType == .insert && $0.updatedProperties == nil })
        for entity in store.schema.entities where !entity.isAbstract {
            let told = first.changes.map(\.changedObjectID).filter { $0.entity == entity.index }.compactMap(\.key)
                .sorted()
            #expect(try store.count(entity: entity.index) == told.count, "\(entity.name)")
            #expect(try store.read(root: entity.root, keys: told).rows.count == told.count, "\(entity.name)")
        }
    }

    @Test("New transactions continue the history and reuse its strings")
    func goesOn() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(in: folder)
        let page = try #require(store.schema.entity(named: "Page"))
        let novel = try #require(store.schema.entity(named: "GraphicNovel"))
        let book = try #require(page.relationship(named: "book")).slot
        store.transactionAuthor = "xctest"
        try store.transaction { writer in
            let key = try writer.reserveKeys(root: page.index, count: 1)
            var batch = RowBatch()
            batch.appendRow(entity: page.index, key: key, version: 1, slotCount: page.slotCount)
            batch[0, book] = .reference(key: 3, entity: Int32(novel.index))
            try writer.insert(batch)
        }
        let transaction = try #require(try store.historyTransactions(after: 1).first)
        #expect(transaction.author == "xctest")
        #expect(transaction.changes.map(\.changeID) == [127, 128])
        #expect(transaction.changes.map(\.changedObjectID.key) == [120, 3])
        #expect(transaction.changes.map(\.changedObjectID.entity) == [page.index, novel.index])
        #expect(transaction.changes.map(\.updatedProperties) == [nil, ["pages"]])
        #expect(try store.connection.integer("SELECT ZAUTHORTS FROM ATRANSACTION WHERE Z_PK = 2") == 2)
        let query = "SELECT Z_ENT || ' ' || Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT IN (16001, 16002) ORDER BY Z_ENT"
        let rows = try store.connection.prepare(query)
        var lastKeys: [String] = []
        while try rows.step() { lastKeys.append(try rows.string(at: 0) ?? "") }
        #expect(lastKeys == ["16001 128", "16002 2"])
        #expect(try store.connection.integer("SELECT COUNT(*) FROM ATRANSACTION WHERE Z_OPT IS NULL") == 2)
        #expect(try store.connection.integer("SELECT COUNT(*) FROM ACHANGE WHERE Z_ENT = 16001") == 128)
    }
}
