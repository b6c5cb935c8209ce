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

@Suite("The tables of the history") struct HistoryTablesTests {
    @Test(
        "The tables equal those of a real store word for word, in the same order",
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func sameAsReal() throws {
        let folder = try TemporaryFolder()
        let real = try #require(RealStore.all.first { $0.path.hasSuffix("SampleModel2_V2.sqlite") })
        let theirs = try StoreSnapshot(path: try real.copy(to: folder))
        let schema = try RealStoreLayoutTests.bookModel.resolved()
        try SQLiteStore.create(path: folder.storePath, schema: schema, tracksHistory: true).publish()
        let ours = try StoreSnapshot(path: folder.storePath)
        #expect(ours.order == theirs.order)
        #expect(ours.objects == theirs.objects)
        #expect(ours.entities == theirs.entities)
    }

    @Test("A store without a history gets one on request, once")
    func added() throws {
        let folder = try TemporaryFolder()
        let schema = try OpeningTests.store(in: folder, books: 3)
        let plain = try SQLiteStore.open(path: folder.storePath, schema: schema)
        #expect(!plain.tracksHistory)
        #expect(try plain.lastHistoryTransaction() == nil)
        #expect(throws: GranaryError.self) { try plain.historyTransactions(after: 0) }
        #expect(try plain.deleteHistory(before: 100) == 0)
        #expect(
            try !SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: true, tracksHistory: true)
                .tracksHistory)
        for _ in 0..<2 {
            let store = try SQLiteStore.open(path: folder.storePath, schema: schema, tracksHistory: true)
            #expect(store.tracksHistory)
            #expect(try store.lastHistoryTransaction() == 0)
            #expect(try store.historyTransactions(after: 0) == [])
        }
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema)
        try store.transaction { try $0.delete(entity: 1, keys: [2]) }
        #expect(try store.historyTransactions(after: 0).first?.changes.map(\.changeType) == [.delete])
        let reader = try SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: true)
        #expect(try reader.historyTransactions(after: 0).first?.changes.map(\.changedObjectID.key) == [2])
        #expect(throws: GranaryError.self) { try reader.deleteHistory(before: 2) }
    }

    @Test("Missing rows of Z_PRIMARYKEY are added with the first transaction")
    func missingNumbers() throws {
        let folder = try TemporaryFolder()
        let schema = try OpeningTests.store(in: folder, books: 1)
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema, tracksHistory: true)
        try store.connection.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
        try store.transaction { try $0.delete(entity: 1, keys: [1]) }
        let rows = try store.connection.text(
            "SELECT group_concat(Z_NAME || Z_SUPER || Z_MAX) FROM (SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 "
                + "ORDER BY Z_ENT)")
        #expect(rows?.hasPrefix("CHANGE01,TRANSACTION01,TRANSACTIONSTRING0") == true)
    }

    @Test("Exhausted keys and a table that discards rows make the transaction fail")
    func hostile() throws {
        let folder = try TemporaryFolder()
        let schema = try OpeningTests.store(in: folder, books: 1)
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema, tracksHistory: true)
        try store.connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 16002")
        let full = #expect(throws: GranaryError.self) {
            try store.transaction { try $0.delete(entity: 1, keys: [1]) }
        }
        #expect(full?.code == .refused)
        try store.connection.execute(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 16002; "
                + "CREATE TEMP TRIGGER drops BEFORE INSERT ON ACHANGE BEGIN SELECT RAISE(IGNORE); END")
        let dropped = #expect(throws: GranaryError.self) {
            try store.transaction { try $0.delete(entity: 1, keys: [1]) }
        }
        #expect(dropped?.diagnostics.map(\.code) == [.storeLayout])
        #expect(try store.count(entity: 1) == 1)
    }

    /// The bit of a property is its position in the sorted names, from the highest bit of the first byte.
    @Test(
        "The bitmap contains the changed properties",
        arguments: [
            (["title"], "08"), (["body"], "80"), (["modifiedAt", "pinned"], "30"), ([], "00"),
            (["body", "modifiedAt", "pinned", "title"], "B8"),
        ] as [([String], String)])
    func bitmap(_ names: [String], _ expected: String) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Folder", [.toMany("notes", "Note", inverse: "folder")]),
            EntityDescription(
                "Note",
                [
                    .attribute("title", .string), .attribute("body", .string), .attribute("pinned", .string),
                    .attribute("modifiedAt", .string), .toOne("folder", "Folder", inverse: "notes"),
                ]),
        ])
        let schema = try model.resolved()
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema, tracksHistory: true)
        let note = try #require(schema.entity(named: "Note"))
        var batch = RowBatch()
        batch.appendRow(entity: note.index, key: 1, version: 1, slotCount: note.slotCount)
        try store.transaction { try $0.insert(batch) }
        batch.rows[0].version = 2
        for name in names {
            let slot = try #require(note.attribute(named: name)).slot
            AttributeValue.string("x").withBorrowed { batch.set($0, row: 0, slot: slot) }
        }
        let changed = batch
        try store.transaction { try $0.update(changed) }
        #expect(try store.connection.text("SELECT hex(ZCOLUMNS) FROM ACHANGE WHERE ZCHANGETYPE = 1") == expected)
        #expect(try store.historyTransactions(after: 1).first?.changes.first?.updatedProperties == names)
    }
}
