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

@Suite("Checks of stores") struct StoreCheckTests {
    /// A damage and the expected finding.
    struct Damage: Sendable, CustomTestStringConvertible {
        let sql: String
        let code: Diagnostic.Code
        let table: String?
        let key: Int64?

        init(_ sql: String, _ code: Diagnostic.Code, _ table: String?, _ key: Int64?) {
            self.sql = sql
            self.code = code
            self.table = table
            self.key = key
        }

        var testDescription: String { sql }
    }

    @Test("A sound store has no findings")
    func sound() throws {
        let report = try CheckedLibrary().check()
        #expect(report.findings.map(\.described.description) == [])
        #expect(report.model == .given)
    }

    @Test(
        "Each damage is found, with its table, its key and advice",
        arguments: [
            // Tables and columns.
            Damage("DROP TABLE ZPRIZE", .storeLayout, "ZPRIZE", nil),
            Damage(
                "ALTER TABLE ZBOOK RENAME COLUMN ZTITLE TO ZT", .storeLayout, "ZBOOK", nil),
            Damage(
                "ALTER TABLE ZTAG RENAME COLUMN ZNAME TO ZT; ALTER TABLE ZTAG ADD COLUMN ZNAME INTEGER", .storeLayout,
                "ZTAG", nil),
            Damage("DROP TABLE ZPRIZE; CREATE VIEW ZPRIZE AS SELECT 1", .storeLayout, "ZPRIZE", nil),
            Damage(
                "DROP TABLE ZPRIZE; CREATE TABLE ZPRIZE (Z_PK TEXT PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                    + "Z1PRIZES INTEGER, ZNAME VARCHAR) WITHOUT ROWID; INSERT INTO ZPRIZE VALUES ('x', 5, 1, 1, '')",
                .storeLayout, "ZPRIZE", nil),
            Damage("DROP INDEX ZBOOK_ZAUTHOR_INDEX", .storeLayout, "ZBOOK", nil),
            Damage("DROP INDEX Z_Book_UNIQUE_isbn", .storeLayout, "ZBOOK", nil),
            // Numbers.
            Damage(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 3", .storeCorrupt, "Z_PRIMARYKEY", 3),
            Damage(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_ENT = 4", .storeLayout, "Z_PRIMARYKEY", 4),
            Damage(
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 'x' WHERE Z_ENT = 6", .storeCorrupt, "Z_PRIMARYKEY", 6),
            Damage(
                "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_ENT = 4", .storeLayout, "Z_PRIMARYKEY", 4),
            Damage(
                "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Buch' WHERE Z_ENT = 3", .storeLayout, "Z_PRIMARYKEY", 3),
            Damage("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 5", .storeLayout, "Z_PRIMARYKEY", 5),
            Damage(
                "INSERT INTO Z_PRIMARYKEY VALUES (1000, 'Other', 0, 0)", .storeLayout, "Z_PRIMARYKEY", 1000),
            // Rows.
            Damage("UPDATE ZTAG SET Z_ENT = 1000000000 WHERE Z_PK = 2", .storeCorrupt, "ZTAG", 2),
            Damage("UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 2", .storeCorrupt, "ZTAG", 2),
            Damage("UPDATE ZTAG SET Z_OPT = NULL WHERE Z_PK = 2", .storeCorrupt, "ZTAG", 2),
            Damage("UPDATE ZTAG SET Z_OPT = 0 WHERE Z_PK = 2", .storeCorrupt, "ZTAG", 2),
            Damage("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (-4, 6, 1)", .storeCorrupt, "ZTAG", -4),
            // References and links.
            Damage(
                "UPDATE ZBADGE SET ZBOOK = 99", .relationshipNotFound, "ZBADGE", 1),
            Damage("UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK = 3", .relationshipNotFound, "ZBOOK", 3),
            Damage("UPDATE ZBOOK SET ZAUTHOR = 'x' WHERE Z_PK = 3", .relationshipNotFound, "ZBOOK", 3),
            Damage("UPDATE ZBADGE SET Z3_BOOK = 4", .storeCorrupt, "ZBADGE", 1),
            Damage("UPDATE ZBADGE SET Z3_BOOK = 70", .storeCorrupt, "ZBADGE", 1),
            Damage(
                "UPDATE ZBOOK SET ZBADGE = NULL", .storeCorrupt, "ZBADGE", 1),
            Damage(
                "INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZBOOK, Z3_BOOK) VALUES (2, 2, 1, 1, 3)", .storeCorrupt,
                "ZBADGE", 2),
            Damage("UPDATE ZPRIZE SET Z1PRIZES = 9", .relationshipNotFound, "ZPRIZE", 1),
            Damage(
                "INSERT INTO Z_3TAGS VALUES (2, 9, 2048)", .relationshipNotFound, "Z_3TAGS", 2),
            Damage(
                "INSERT INTO Z_3TAGS VALUES (9, 2, 2048)", .relationshipNotFound, "Z_3TAGS", 2),
            Damage(
                "CREATE TABLE t AS SELECT * FROM Z_3TAGS; INSERT INTO t SELECT * FROM Z_3TAGS; DROP TABLE Z_3TAGS; "
                    + "ALTER TABLE t RENAME TO Z_3TAGS", .storeCorrupt, "Z_3TAGS", 1),
            // Order.
            Damage("UPDATE ZBOOK SET Z_FOK_AUTHOR = NULL WHERE Z_PK = 2", .storeCorrupt, "ZBOOK", 2),
            Damage("UPDATE ZBOOK SET Z_FOK_AUTHOR = 5", .storeCorrupt, "ZBOOK", 2),
            Damage("UPDATE Z_3TAGS SET Z_FOK_6TAGS = 5", .storeCorrupt, "Z_3TAGS", 1),
            // Values.
            Damage("UPDATE ZBOOK SET ZPAGES = 0 WHERE Z_PK = 1", .valueTooSmall, "ZBOOK", 1),
            Damage("UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK = 2", .valueMissing, "ZBOOK", 2),
            Damage("UPDATE ZBOOK SET ZPAGES = x'00' WHERE Z_PK = 1", .storeCorrupt, "ZBOOK", 1),
            Damage("UPDATE ZBOOK SET ZAUTHOR = NULL WHERE Z_PK = 2", .valueMissing, "ZBOOK", 2),
            Damage(
                "DROP INDEX Z_Book_UNIQUE_isbn; UPDATE ZBOOK SET ZISBN = 'a' WHERE Z_PK = 2", .uniqueDuplicate, "ZBOOK",
                2),
            // External data.
            Damage("UPDATE ZBOOK SET ZCOVER = x'09' WHERE Z_PK = 1", .storeCorrupt, "ZBOOK", 1),
            Damage("UPDATE ZBOOK SET ZCOVER = x'0241' WHERE Z_PK = 1", .storeCorrupt, "ZBOOK", 1),
            Damage(
                "UPDATE ZBOOK SET ZCOVER = CAST(char(2) || '619F5BBC-799D-44E4-8B9F-49AC950CD416' || char(0) AS BLOB) "
                    + "WHERE Z_PK = 1", .storeCorrupt, "ZBOOK", 1),
            // History.
            Damage(
                "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES "
                    + "(1, 16001, 0, 3, 1, 77)", .storeCorrupt, "ACHANGE", 1),
            Damage(
                "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (4, 16002, 1.5)", .storeCorrupt,
                "Z_PRIMARYKEY", 16_002),
            Damage(
                "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 'x')", .storeCorrupt,
                "ATRANSACTION", 1),
            Damage(
                "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 1.5); INSERT INTO ACHANGE (Z_PK, "
                    + "Z_ENT, ZCHANGETYPE, ZENTITY, ZTRANSACTIONID) VALUES (1, 16001, 0, 3, 1)", .storeCorrupt,
                "ACHANGE", 1),
            // The database.
            Damage("UPDATE Z_METADATA SET Z_PLIST = x'00'", .storeCorrupt, "Z_METADATA", nil),
            Damage(
                "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA", .storeLayout, "Z_METADATA", nil),
            Damage(
                "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'", .storeCorrupt, "Z_MODELCACHE", nil),
        ])
    func damage(_ damage: Damage) throws {
        let library = try CheckedLibrary()
        try library.execute(damage.sql)
        let findings = try library.check()
        let found = findings.findings.first { finding in
            finding.diagnostic.code == damage.code && finding.table == damage.table && finding.key == damage.key
        }
        let text = findings.findings.map(\.described.description).joined(separator: "\n")
        #expect(found != nil, "\(text)")
        // Nobody should change a Core Data store with SQL.
        let sql = /\b(UPDATE|DELETE|INSERT|CREATE|ALTER|DROP|REINDEX)\b/
        #expect(findings.findings.allSatisfy { $0.advice?.contains(sql) != true }, "\(text)")
        #expect(found?.advice?.isEmpty == false)
    }

    @Test("A single unknown entity name is a warning: such a store can be opened")
    func formerName() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Buch' WHERE Z_ENT = 3")
        let one = try library.check()
        #expect(one.errorCount == 0 && one.warningCount == 1, "\(one.findings)")
        try library.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Autor' WHERE Z_ENT = 1")
        #expect(try library.check().errorCount == 2)
    }

    @Test("The number of listed findings is limited; the count is not")
    func bounded() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE ZTAG SET Z_OPT = 0; UPDATE ZBOOK SET Z_OPT = 0")
        let report = try StoreChecker.check(path: library.folder.storePath, given: CheckedLibrary.model, limit: 2)
        #expect(report.findings.count == 2)
        #expect(report.count == 5 && report.errorCount == 5)
    }

    @Test("A damaged row does not hide other findings")
    func brokenRow() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE ZBOOK SET Z_OPT = -5 WHERE Z_PK = 1; UPDATE ZBOOK SET ZPAGES = 0 WHERE Z_PK = 3")
        let codes = try library.check().findings.map { [$0.diagnostic.code.rawValue, "\($0.key ?? 0)"] }
        #expect(codes == [["store.corrupt", "1"], ["value.tooSmall", "3"]])
    }

    @Test("Another model is reported, and the rest is checked with the store's model")
    func otherModel() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 3")
        var other = CheckedLibrary.model
        other.entities[0].attributes[0].type = .binary
        let report = try library.check(other)
        #expect(report.findings.contains { $0.diagnostic.code == .storeMismatch })
        #expect(report.findings.contains { $0.diagnostic.code == .storeCorrupt && $0.key == 3 })
        #expect(report.model != .given)
    }

    /// The column of a sibling entity may contain values from an earlier version of the model. Core Data never reads
    /// them (behaviours.md, SEEN-2).
    @Test("Values in columns of sibling entities are not findings and not members of lists")
    func siblingColumns() throws {
        let folder = try TemporaryFolder()
        // Entity numbers: Base 1, Other 2, Part 3, Owner 4.
        let model = ManagedObjectModel(entities: [
            EntityDescription("Base", [.attribute("name", .string)]),
            EntityDescription("Other", [.attribute("size", .integer16)], superentity: "Base"),
            EntityDescription(
                "Owner", [.toMany("parts", "Part", inverse: "owner", .ordered, .count(2, 2))]),
            EntityDescription("Part", [.toOne("owner", "Owner", inverse: "parts")], superentity: "Base"),
        ])
        let schema = try model.resolved()
        try SQLiteStore.create(path: folder.storePath, schema: schema, tracksHistory: false).publish()
        let connection = try Connection(path: folder.storePath, mode: .readWrite)
        // The row of Other has a value in a column of Part, and an order key that is in use.
        try connection.execute(
            """
            INSERT INTO ZOWNER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 4, 1);
            INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZSIZE, ZOWNER, Z_FOK_OWNER)
            VALUES (1, 2, 1, 5, 1, 2048), (2, 3, 1, NULL, 1, 2048), (3, 3, 1, NULL, 1, 3072);
            UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_SUPER = 0
            """)
        try connection.close()
        let findings = try StoreChecker.check(path: folder.storePath, given: model)
        #expect(findings.findings.map(\.described.description) == [])
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: true)
        let parts = try #require(schema.entity(named: "Owner")?.relationship(named: "parts"))
        var members: [Int64] = []
        try store.readLinks(of: parts, owners: [1]) { members.append($0.destination) }
        try store.readLinks(of: parts, owners: nil) { members.append($0.destination) }
        #expect(members == [2, 3, 2, 3])
    }

    @Test("A file that no value refers to is a warning")
    func unusedFile() throws {
        let library = try CheckedLibrary()
        let folder = library.folder.url.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data([1]).write(to: folder.appending(path: "619F5BBC-799D-44E4-8B9F-49AC950CD416"))
        let findings = try library.check()
        #expect(findings.count == 1 && findings.warningCount == 1)
        #expect(try library.summary().external?.unusedFiles == 1)
    }

    @Test("A truncated file is a finding")
    func cutOff() throws {
        let library = try CheckedLibrary()
        try library.execute("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (3, 6, 1)")
        let path = library.folder.storePath
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.removeLast(100)
        try bytes.write(to: URL(filePath: path))
        let findings = try library.check()
        #expect(findings.findings.map(\.diagnostic.code) == [.storeCorrupt])
    }

    @Test("A file that lacks whole pages is a finding too", arguments: [1, 2, 5])
    func missingPages(_ pages: Int) throws {
        let library = try CheckedLibrary()
        let path = library.folder.storePath
        let bytes = try Data(contentsOf: URL(filePath: path))
        try bytes.prefix(pages * 4096).write(to: URL(filePath: path))
        let findings = try library.check().findings
        #expect(findings.map(\.diagnostic.code) == [.storeCorrupt] && findings.first?.advice != nil, "\(findings)")
    }

    @Test("An unusable model in the store is reported with its place")
    func brokenCache() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'")
        let report = try library.check(nil)
        #expect(report.model == .inferred)
        #expect(report.findings.contains { $0.table == "Z_MODELCACHE" && $0.column == "Z_CONTENT" })
    }

    @Test("Unreadable metadata is reported once")
    func brokenMetadata() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE Z_METADATA SET Z_PLIST = x'00'")
        let findings = try library.check(nil)
        #expect(findings.errorCount == 1 && findings.findings.last?.diagnostic.severity == .note)
    }

    @Test("A dangling key is found without a model too")
    func inferredReference() throws {
        let system = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
        let bench = try InferenceBench(
            [("Item", 0), ("OtherItem", 0), ("Owner", 0)],
            """
            CREATE TABLE ZITEM ( \(system), ZOWNER INTEGER ); CREATE TABLE ZOWNER ( \(system) );
            CREATE TABLE ZOTHERITEM ( \(system), ZNER INTEGER ); CREATE INDEX ZITEM_ZOWNER_INDEX ON ZITEM (ZOWNER);
            CREATE INDEX ZOTHERITEM_ZNER_INDEX ON ZOTHERITEM (ZNER);
            INSERT INTO ZITEM VALUES (1, 1, 1, 7), (2, 1, 1, 8), (3, 1, 1, 99);
            INSERT INTO ZOTHERITEM VALUES (1, 2, 1, 7), (2, 2, 1, 8), (3, 2, 1, 'x');
            INSERT INTO ZOWNER VALUES (7, 3, 1), (8, 3, 1); UPDATE Z_PRIMARYKEY SET Z_MAX = 8
            """)
        // When values are read, the column is a number.
        #expect(try bench.lines().first == "Item: owner Integer 64")
        let found = try StoreChecker.check(path: bench.path).findings
            .filter { $0.diagnostic.code == .relationshipNotFound }
        #expect(found.map(\.table) == ["ZITEM", "ZOTHERITEM"] && found.map(\.key) == [3, 3], "\(found)")
        try bench.execute("UPDATE ZITEM SET ZOWNER = 7 WHERE Z_PK = 3")
        #expect(try bench.lines().first == "Item: owner → Owner")
    }

    @Test(
        "Stores that Core Data wrote are sound", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
        arguments: RealStore.all)
    func realStores(_ real: RealStore) throws {
        let folder = try TemporaryFolder()
        let report = try StoreChecker.check(path: try real.copy(to: folder))
        #expect(report.errorCount == 0, "\(report.findings.map(\.described.description))")
        #expect(report.warningCount == 0, "\(report.findings.map(\.described.description))")
        // The inferred model gives a note.
        #expect(report.count == (report.model == .inferred ? 1 : 0))
        // From this framework on, stores contain their models (sqlite-layout §2).
        #expect(report.model == (real.frameworkVersion >= 637 ? .cache : .inferred))
    }
}
