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

@Suite("Derived attributes in a store") struct DerivedAttributeTests {
    /// The first column of a query as text.
    private func rows(_ sql: String, _ store: SQLiteStore) throws -> [String] {
        let statement = try store.connection.prepare(sql)
        var found: [String] = []
        while try statement.step() { found.append(try statement.string(at: 0) ?? "NULL") }
        return found
    }

    private func bench(_ folder: TemporaryFolder, _ entities: [EntityDescription]) throws -> SQLiteStore {
        try SQLiteStore.create(
            path: folder.storePath, schema: try ManagedObjectModel(entities: entities).resolved())
    }

    private static let authors = [
        EntityDescription(
            "Author",
            [
                .attribute("articlesCount", .integer64, .derived("articles.@count")),
                .attribute("totalWords", .integer64, .derived("articles.wordCount.@sum")),
                .attribute("changed", .date, .derived("now()")), .toMany("articles", "Article", inverse: "author"),
            ]),
        EntityDescription(
            "Article", [.attribute("wordCount", .integer64), .toOne("author", "Author", inverse: "articles")]),
    ]

    /// Rows of the two entities. Articles with the given numbers of words belong to the first author.
    private func article(_ key: Int64, words: Int64, in store: SQLiteStore) throws -> RowBatch {
        let entity = try #require(store.schema.entity(named: "Article"))
        var batch = RowBatch()
        let row = batch.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
        let slots = (
            words: try #require(entity.attribute(named: "wordCount")).slot,
            author: try #require(entity.relationship(named: "author")).slot
        )
        batch[row, slots.words] = .integer(words)
        let author = try #require(store.schema.entity(named: "Author")).index
        batch[row, slots.author] = .reference(key: 1, entity: Int32(author))
        return batch
    }

    private func author(version: Int64 = 1, in store: SQLiteStore) throws -> RowBatch {
        let entity = try #require(store.schema.entity(named: "Author"))
        var batch = RowBatch()
        batch.appendRow(entity: entity.index, key: 1, version: version, slotCount: entity.slotCount)
        return batch
    }

    @Test("STO-07: @count and @sum follow inserts and deletions and can be fetched; now() changes with each save")
    func countAndSum() throws {
        let folder = try TemporaryFolder()
        let store = try bench(folder, Self.authors)
        try store.transaction { writer in
            try writer.insert(try article(1, words: 20, in: store))
            try writer.insert(try author(in: store))
            try writer.insert(try article(2, words: 22, in: store))
        }
        let query = "SELECT ZARTICLESCOUNT || ' ' || ZTOTALWORDS FROM ZAUTHOR"
        #expect(try rows(query, store) == ["2 42"])
        try store.transaction { try $0.insert(try article(3, words: 8, in: store)) }
        #expect(try rows(query, store) == ["3 50"])
        let entity = try #require(store.schema.entity(named: "Article")).index
        try store.transaction { try $0.delete(entity: entity, keys: [3]) }
        #expect(try rows(query, store) == ["2 42"])
        #expect(
            try rows("SELECT Z_PK FROM ZAUTHOR WHERE ZARTICLESCOUNT = 2 AND ZTOTALWORDS = 42", store) == ["1"])
        // The author was written only once.
        #expect(try rows("SELECT Z_OPT FROM ZAUTHOR", store) == ["1"])

        #expect(try rows("SELECT ABS(NSCoreDataNow() - ZCHANGED) < 60 FROM ZAUTHOR", store) == ["1"])
        try store.connection.execute("UPDATE ZAUTHOR SET ZCHANGED = 7")
        try store.transaction { try $0.insert(try article(4, words: 1, in: store)) }
        #expect(try rows("SELECT ZCHANGED = 7 FROM ZAUTHOR", store) == ["1"])
        try store.transaction { try $0.update(try author(version: 2, in: store)) }
        #expect(try rows("SELECT ABS(NSCoreDataNow() - ZCHANGED) < 60 FROM ZAUTHOR", store) == ["1"])
    }

    @Test("A sum above 64 bits is refused, and the store is unchanged")
    func overflow() throws {
        let folder = try TemporaryFolder()
        let store = try bench(folder, Self.authors)
        try store.transaction { writer in
            try writer.insert(try author(in: store))
            try writer.insert(try article(1, words: .max, in: store))
        }
        let error = #expect(throws: GranaryError.self) {
            try store.transaction { try $0.insert(try article(2, words: 1, in: store)) }
        }
        #expect(error?.code == .refused)
        try store.transaction { try $0.insert(try article(3, words: -7, in: store)) }
        #expect(try rows("SELECT ZTOTALWORDS FROM ZAUTHOR", store) == ["\(Int64.max - 7)"])
    }

    @Test("A store with derived attributes of every form can be written after reopening")
    func reopened() throws {
        let bench = try DerivedBench()
        try bench.store.transaction { writer in
            try writer.insert(try bench.row("Chief", 1, ["name": "Zoë"]))
            try writer.insert(try bench.row("Item", 2, ["amount": 5], references: ["owner": ("Chief", 1)]))
        }
        try bench.store.publish()
        let store = try SQLiteStore.open(path: bench.folder.storePath, schema: bench.store.schema)
        try store.transaction { writer in
            try writer.insert(try bench.row("Item", 3, ["amount": 6], references: ["owner": ("Chief", 1)]))
        }
        #expect(
            try rows("SELECT ZTOTAL || ' ' || ZCHIEFTOTAL || ' ' || ZCANONICAL || ' ' || ZOWN FROM ZOWNER", store)
                == ["11 11 zoe ZOË"])
        #expect(try DerivedTwin(store).differences() == [])
    }

    @Test(
        "A store with a derived-attribute trigger that rejects rows or may run forever cannot be written",
        arguments: [
            "RAISE (ABORT, 'no')", "'(' , ZNAME = 'hacked)'", "(SELECT COUNT(*) FROM ZITEM a, ZITEM b, ZITEM c)",
            "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n)",
        ])
    func treacherousTriggers(_ value: String) throws {
        let bench = try DerivedBench()
        try bench.store.publish()
        try bench.store.connection.execute(
            """
            CREATE TRIGGER Z_DA_x AFTER INSERT ON ZITEM FOR EACH ROW BEGIN UPDATE ZOWNER SET ZTOTAL = \(value) \
            WHERE Z_PK = 1; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZOWNER', 1, 1, 'total', 1); END
            """)
        let error = #expect(throws: GranaryError.self) {
            try SQLiteStore.open(path: bench.folder.storePath, schema: bench.store.schema)
        }
        #expect(error?.diagnostics.map(\.code) == [.storeLayout])
    }

    @Test("Triggers leave the rows of other entities in the table empty")
    func otherEntities() throws {
        let bench = try DerivedBench()
        try bench.store.transaction { writer in
            try writer.insert(try bench.row("Owner", 1, ["name": "a"]))
            try writer.insert(try bench.row("Item", 2, ["amount": 5], references: ["owner": ("Owner", 1)]))
        }
        #expect(
            try rows("SELECT COALESCE(ZCHIEFITEMS, ZCHIEFTOTAL, ZCHIEFTAGS, ZLOUD, ZOWN) FROM ZOWNER", bench.store)
                == ["NULL"])
    }

    @Test("Equal trigger names get a digit, and a name may contain RAISE")
    func names() throws {
        let folder = try TemporaryFolder()
        let store = try bench(
            folder,
            [
                EntityDescription(
                    "A",
                    [
                        .attribute("praise", .string), .attribute("loud", .string, .derived("uppercase:(praise)")),
                        .attribute("LOUD", .string, .derived("lowercase:(praise)")),
                        .attribute("B_c", .string, .derived("praise")),
                    ]),
                EntityDescription("A_B", [.attribute("c", .string, .derived("praise"))], superentity: "A"),
            ])
        try store.publish()
        let reopened = try SQLiteStore.open(path: folder.storePath, schema: store.schema)
        try reopened.connection.execute("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZPRAISE) VALUES (1, 2, 1, 'É')")
        let columns = try #require(try reopened.connection.schema().first { $0.name == "ZA" }?.sql)
        #expect(columns.contains("ZLOUD1"))
        #expect(try rows("SELECT ZLOUD || ZLOUD1 || ZB_C || ZC FROM ZA", reopened).map { $0.lowercased() } == ["éééé"])
    }

    @Test("A value over a to-one has Core Data's four triggers, and one more if the reference may dangle")
    func valueTriggers() throws {
        let folder = try TemporaryFolder()
        let store = try bench(
            folder,
            [
                EntityDescription(
                    "Chat", [.attribute("serverId", .string), .toMany("messages", "Message", inverse: "chat")]),
                EntityDescription(
                    "Message",
                    [
                        .toOne("chat", "Chat", inverse: "messages"), .toOne("from", "Chat", inverse: nil),
                        .attribute("chatId", .string, .derived("chat.serverId")),
                        .attribute("fromId", .string, .derived("from.serverId")),
                    ]),
            ])
        let names = try rows("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid", store)
        let kinds = [
            "ZMESSAGE|SOURCE_INSERT", "ZMESSAGE|SOURCE_UPDATE", "ZCHAT|PARAMETER_INSERT", "ZCHAT|PARAMETER_UPDATE",
        ]
        #expect(
            names
                == kinds.map { "Z_DA_" + $0.replacing("|", with: "_Message_chatId_") }
                + (kinds + ["ZCHAT|PARAMETER_DELETE"]).map { "Z_DA_" + $0.replacing("|", with: "_Message_fromId_") })
        try store.connection.execute(
            """
            INSERT INTO ZMESSAGE (Z_PK, Z_ENT, Z_OPT, ZCHAT, ZFROM) VALUES (1, 2, 1, 5, 5);
            INSERT INTO ZCHAT (Z_PK, Z_ENT, Z_OPT, ZSERVERID) VALUES (5, 1, 1, 's');
            """)
        #expect(try rows("SELECT ZCHATID || ZFROMID FROM ZMESSAGE", store) == ["ss"])
        try store.connection.execute("DELETE FROM ZCHAT")
        #expect(try rows("SELECT IFNULL(ZFROMID, 'none') FROM ZMESSAGE", store) == ["none"])
    }
}
