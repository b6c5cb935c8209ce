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

@Suite("Reading the history") struct HistoryReadingTests {
    @Test("HIS-01, HIS-03: a store without a history has no number; two connections to a file have the same number")
    func numbers() throws {
        let folder = try TemporaryFolder()
        let schema = try OpeningTests.store(in: folder, books: 4)
        #expect(try SQLiteStore.open(path: folder.storePath, schema: schema).lastHistoryTransaction() == nil)
        let first = try SQLiteStore.open(path: folder.storePath, schema: schema, tracksHistory: true)
        let second = try SQLiteStore.open(path: folder.storePath, schema: schema, tracksHistory: true)
        for (number, store) in [first, second, second, first].enumerated() {
            try store.transaction { try $0.delete(entity: 1, keys: [Int64(number + 1)]) }
            #expect(try first.lastHistoryTransaction() == Int64(number + 1))
            #expect(try second.lastHistoryTransaction() == Int64(number + 1))
        }
        #expect(try second.historyTransactions(after: 1, limit: 2).map(\.transactionNumber) == [2, 3])
        #expect(try second.historyTransactions(after: 4) == [])
    }

    @Test("Authors and dates are read; each string is stored once")
    func author() throws {
        let bench = try HistoryBench()
        let begin = Date()
        try bench.store.transactionAuthor = "importer"
        for key in 1...3 { try bench.run([.insert("Node", Int64(key))]) }
        try bench.store.transactionAuthor = nil
        try bench.store.contextName = "importer"
        try bench.run([.insert("Node", 4)])
        let found = try bench.store.historyTransactions(after: 0)
        #expect(found.map(\.author) == ["importer", "importer", "importer", nil])
        #expect(found.map(\.contextName) == [nil, nil, nil, "importer"])
        #expect(found.map(\.processID) == Array(repeating: ProcessInfo.processInfo.processName, count: 4))
        #expect(found.map(\.bundleID) == Array(repeating: Bundle.main.bundleIdentifier, count: 4))
        #expect(found.allSatisfy { $0.timestamp >= begin && $0.timestamp <= Date() })
        let strings = try bench.store.connection.integer("SELECT COUNT(*) FROM ATRANSACTIONSTRING")
        #expect(strings == (Bundle.main.bundleIdentifier == nil ? 2 : 3))
    }

    private func expiry(_ store: SQLiteStore, _ number: Int64) -> Diagnostic? {
        do {
            _ = try store.historyTransactions(after: number)
            return nil
        } catch { return error.diagnostics.first }
    }

    @Test("HIS-05: a number before the first transaction is valid; a number before removed transactions has expired")
    func expired() throws {
        let bench = try HistoryBench()
        let store = try bench.store
        for key in 1...5 { try bench.run([.insert("Node", Int64(key))]) }
        #expect(try store.deleteHistory(before: 4) == 3)
        #expect(try store.historyTransactions(after: 0).map(\.transactionNumber) == [4, 5])
        #expect(try store.historyTransactions(after: 3).map(\.transactionNumber) == [4, 5])
        #expect(try store.connection.integer("SELECT COUNT(*) FROM ACHANGE") == 2)
        for number in [1, 2, 6, Int64.max] {
            #expect(expiry(store, number)?.code == .historyExpired)
            #expect(expiry(store, number)?.coreDataCode == 134_301)
        }
        #expect(try store.deleteHistory(before: Date() + 60) == 2)
        #expect(try store.historyTransactions(after: 0) == [])
        #expect(try store.historyTransactions(after: 5) == [])
        #expect(expiry(store, 4)?.code == .historyExpired)
        #expect(try store.lastHistoryTransaction() == 5)
        try bench.run([.delete(1)])
        #expect(try store.historyTransactions(after: 5).map(\.transactionNumber) == [6])
    }

    @Test("Unknown content by other programs is left out")
    func others() throws {
        let bench = try HistoryBench()
        try bench.run([.insert("Node", 1)])
        try bench.store.connection.execute(
            """
            INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP, ZAUTHOR) VALUES (2, 700000000.5, 'plain');
            INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) VALUES
                (10, 1, \(bench.node.number), 5, 2, NULL), (11, 1, \(bench.node.number), 6, 2, x'000000000001'),
                (12, 7, 1, 1, 2, NULL), (13, 0, 999, 1, 2, NULL), (14, 0, -9223372036854775808, 1, 2, NULL),
                (15, 1, \(bench.node.number), 7, 2, x'80')
            """)
        let transaction = try #require(try bench.store.historyTransactions(after: 1).first)
        #expect(transaction.author == "plain")
        #expect(transaction.processID == nil)
        #expect(transaction.timestamp == Date(timeIntervalSinceReferenceDate: 700_000_000.5))
        #expect(transaction.changes.map(\.changeID) == [10, 11, 15])
        // A bitmap with more bits than properties belongs to another model and is ignored.
        #expect(transaction.changes.map(\.updatedProperties) == [nil, nil, ["children"]])
    }

    @Test("A deletion keeps the values of attributes with preservesValueInHistoryOnDeletion")
    func tombstones() throws {
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "Photo",
                [
                    .attribute("width", .double), .attribute("identifier", .uuid), .attribute("caption", .string),
                    .attribute("taken", .date), .attribute("note", .string),
                ])
        ])
        for place in 0..<4 { model.entities[0].attributes[place].preservesValueInHistoryOnDeletion = true }
        let schema = try model.resolved()
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema, tracksHistory: true)
        let values: [String: AttributeValue] = [
            "width": .double(1.5), "identifier": .uuid(UUID()), "taken": .date(Date(timeIntervalSinceReferenceDate: 5)),
            "note": "gone",
        ]
        var batch = RowBatch()
        batch.appendRow(entity: 0, key: 1, version: 1, slotCount: 5)
        for (name, value) in values {
            let slot = try #require(schema.entities[0].attribute(named: name)).slot
            value.withBorrowed { batch.set($0, row: 0, slot: slot) }
        }
        let inserted = batch
        try store.transaction { try $0.insert(inserted) }
        try store.transaction { try $0.delete(entity: 0, keys: [1]) }
        let changes = try store.historyTransactions(after: 0).flatMap(\.changes)
        #expect(changes.map(\.changeType) == [.insert, .delete])
        #expect(changes.first?.tombstone == [:])
        #expect(changes.last?.tombstone == values.filter { $0.key != "note" })
        // Sorted by name: caption, identifier, taken, width.
        #expect(try store.connection.integer("SELECT COUNT(*) FROM ACHANGE WHERE ZTOMBSTONE0 IS NOT NULL") == 0)
        #expect(try store.connection.text("SELECT typeof(ZTOMBSTONE1) FROM ACHANGE WHERE ZCHANGETYPE = 2") == "blob")
        #expect(try store.connection.text("SELECT ZTOMBSTONE3 FROM ACHANGE WHERE ZCHANGETYPE = 2") == "1.5")
    }

    @Test("User info lists the attributes that a deletion keeps, in its order, also those of a superentity")
    func listedTombstones() throws {
        var model = ManagedObjectModel(entities: [
            EntityDescription("Item", [.attribute("uuid", .string), .attribute("size", .integer16)]),
            EntityDescription("Photo", [.attribute("flag", .boolean)], superentity: "Item"),
            EntityDescription("Plain", [.attribute("a", .string)]),
        ])
        model.entities[0].attributes[1].preservesValueInHistoryOnDeletion = true
        model.entities[1].userInfo = ["NSPersistentHistoryTombstoneAttributes": "uuid, flag,missing,uuid,size"]
        let schema = try model.resolved()
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema, tracksHistory: true)
        let table = try store.connection.text("SELECT sql FROM sqlite_master WHERE name = 'ACHANGE'")
        #expect(table?.hasSuffix("ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB, ZTOMBSTONE2 BLOB )") == true)
        try store.connection.execute(
            """
            INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZSIZE, ZUUID, ZFLAG) VALUES (1, 1, 1, 7, 'a', NULL), (2, 2, 1, 8, 'b', 1);
            INSERT INTO ZPLAIN (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 3, 1, 'x')
            """)
        try store.transaction { writer in
            try writer.delete(entity: 0, keys: [1, 2])
            try writer.delete(entity: 2, keys: [1])
        }
        let rows = try store.connection.text(
            "SELECT group_concat(IFNULL(ZTOMBSTONE0, '-') || IFNULL(ZTOMBSTONE1, '-') || IFNULL(ZTOMBSTONE2, '-'), ' ') "
                + "FROM ACHANGE")
        #expect(rows == "7-- b18 ---")
        let changes = try store.historyTransactions(after: 0).flatMap(\.changes)
        #expect(
            changes.map(\.tombstone) == [
                ["size": .integer(7)], ["uuid": "b", "flag": .boolean(true), "size": .integer(8)], [:],
            ])
    }

    @Test("Columns of values that a migration appended are used; further ones are left alone")
    func appendedTombstones() throws {
        var model = ManagedObjectModel(entities: [
            EntityDescription("A", [.attribute("a", .string), .attribute("b", .string)])
        ])
        model.entities[0].attributes[0].preservesValueInHistoryOnDeletion = true
        let schema = try model.resolved()
        let folder = try TemporaryFolder()
        try SQLiteStore.create(path: folder.storePath, schema: schema, tracksHistory: true).publish()
        do {
            let connection = try Connection(path: folder.storePath, mode: .readWrite)
            try connection.execute(
                """
                ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE1 BLOB; ALTER TABLE ACHANGE DROP COLUMN ZTOMBSTONE0;
                ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE0 BLOB;
                INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZA, ZB) VALUES (1, 1, 1, 'x', 'y')
                """)
        }
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema)
        try store.transaction { try $0.delete(entity: 0, keys: [1]) }
        #expect(try store.historyTransactions(after: 0).flatMap(\.changes).map(\.tombstone) == [["a": "x"]])
    }

    /// Framework 851 has no table of strings and no columns that refer to it
    /// (docs/core-data/sqlite-layout.md#history-of-framework-851).
    @Test("A history whose transactions contain their texts is read, but the store is not written")
    func withoutStrings() throws {
        let bench = try HistoryBench()
        let path = try bench.store.path
        try bench.run([.insert("Node", 1)])
        let schema = try bench.store.schema
        try bench.store.connection.execute(
            """
            DROP TABLE ATRANSACTIONSTRING; DROP TABLE ATRANSACTION;
            CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT,
                ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR );
            INSERT INTO ATRANSACTION VALUES (1, 16002, 1, 7.5, 'me', 'app', NULL, 'process');
            DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16003;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Node'
            """)
        let store = try SQLiteStore.open(path: path, schema: schema, readOnly: true)
        let transaction = try #require(try store.historyTransactions(after: 0).first)
        #expect(transaction.author == "me" && transaction.bundleID == "app" && transaction.processID == "process")
        #expect(transaction.contextName == nil && transaction.changes.count == 1)
        let error = #expect(throws: GranaryError.self) { try SQLiteStore.open(path: path, schema: schema) }
        #expect(error?.diagnostics.first?.message.contains("cannot record changes") == true)
        #expect(try StoreChecker.check(path: path).findings.map(\.described.description) == [])
        let summary = try StoreInspector(path: path).summary()
        #expect(summary.history?.authors == ["me"] && summary.history?.changes == 1)
        #expect(summary.problems == [], "\(summary.problems)")
    }

    @Test("The public history values")
    func publicValues() throws {
        let bench = try HistoryBench()
        try bench.run([.insert("Node", 1), .insert("Leaf", 2)])
        let identifier = try bench.store.identifier
        let transaction = try #require(try bench.store.historyTransactions(after: 0).first)
        #expect(transaction.transactionNumber == 1)
        #expect(transaction.changes.map(\.changeType) == [.insert, .insert])
        #expect(
            transaction.changes.map(\.changedObjectID.description) == [
                "x-coredata://\(identifier)/Node/p1", "x-coredata://\(identifier)/Leaf/p2",
            ])
        #expect(transaction.token == PersistentHistoryToken(transactionNumbers: [identifier: 1]))
        #expect(transaction.token.lastTransaction(ofStore: "another") == 0)
        let coded = try JSONEncoder().encode(transaction.token)
        #expect(try JSONDecoder().decode(PersistentHistoryToken.self, from: coded) == transaction.token)
    }
}
