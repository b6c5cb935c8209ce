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

@Suite("Hostile stores") struct HostileStoreTests {
    private let folder: TemporaryFolder
    private let schema: Schema

    init() throws {
        folder = try TemporaryFolder()
        schema = try OpeningTests.store(in: folder, books: 3)
    }

    /// Changes the file with SQL.
    private func tamper(_ sql: String) throws {
        let connection = try Connection(path: folder.storePath, mode: .readWrite)
        try connection.execute(sql)
    }

    private func open(readOnly: Bool = false) throws -> SQLiteStore {
        try SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: readOnly)
    }

    private func readBooks(_ store: SQLiteStore) throws {
        try store.read(entities: 1..<2, batchSize: 10) { batch in
            for row in batch.rows.indices {
                for attribute in schema.entities[1].attributes { _ = try batch.value(row: row, of: attribute) }
            }
            return true
        }
    }

    @Test("A store with a foreign trigger can be read but not written")
    func foreignTrigger() throws {
        try tamper("CREATE TRIGGER harmless AFTER INSERT ON ZBOOK BEGIN DELETE FROM ZAUTHOR; END")
        let error = #expect(throws: GranaryError.self) { try open() }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.map(\.code) == [.storeLayout])
        try readBooks(try open(readOnly: true))
    }

    @Test(
        "A trigger is accepted by its statements, not by its name",
        arguments: [
            "CREATE TRIGGER Z_DA_x AFTER INSERT ON ZBOOK BEGIN DELETE FROM ZAUTHOR; END",
            "CREATE TRIGGER Z_DA_x BEFORE INSERT ON ZBOOK BEGIN SELECT RAISE(IGNORE); END",
            "CREATE TRIGGER Z_DA_x AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN UPDATE ZBOOK SET ZTITLE = 'x' WHERE 1; "
                + "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'a', 1) FROM ZBOOK; END",
        ])
    func triggerUnderCoreDatasName(_ sql: String) throws {
        try tamper(sql)
        let error = #expect(throws: GranaryError.self) { try open() }
        #expect(error?.diagnostics.map(\.code) == [.storeLayout])
    }

    private func insertBook() throws {
        var batch = RowBatch()
        batch.appendRow(entity: 1, key: 50, version: 1, slotCount: schema.entities[1].slotCount)
        try open().transaction { writer in try writer.insert(batch) }
    }

    @Test("A store with a column type that changes values cannot be written")
    func treacherousType() throws {
        try tamper("ALTER TABLE ZBOOK RENAME COLUMN ZTITLE TO ZT; ALTER TABLE ZBOOK ADD COLUMN ZTITLE INTEGER")
        let error = #expect(throws: GranaryError.self) { try insertBook() }
        #expect(error?.diagnostics.map(\.code) == [.storeLayout])
        #expect(error?.diagnostics.first?.message.contains("ZBOOK.ZTITLE is declared INTEGER, not VARCHAR") == true)
        try readBooks(try open(readOnly: true))
    }

    @Test("An insert that a column constraint discards is an error")
    func treacherousColumn() throws {
        let connection = try Connection(path: folder.storePath, mode: .readWrite)
        let table = try #require(try connection.schema().first { $0.name == "ZBOOK" }?.sql)
        let copy = table.replacing("TABLE ZBOOK", with: "TABLE t").dropLast()
        try connection.execute(
            "\(copy), ZX INTEGER NOT NULL ON CONFLICT IGNORE); DROP TABLE ZBOOK; ALTER TABLE t RENAME TO ZBOOK")
        try connection.close()
        let error = #expect(throws: GranaryError.self) { try insertBook() }
        #expect(error?.code == .refused)
    }

    @Test("Several rows of Z_PRIMARYKEY with the same number are refused")
    func repeatedNumbers() throws {
        try tamper(
            "CREATE TABLE t AS SELECT * FROM Z_PRIMARYKEY; INSERT INTO t SELECT * FROM Z_PRIMARYKEY; "
                + "DROP TABLE Z_PRIMARYKEY; ALTER TABLE t RENAME TO Z_PRIMARYKEY")
        let summary = try StoreInspector(path: folder.storePath).summary(given: OpeningTests.model)
        #expect(summary.entities.map(\.number) == [1, 2])
        #expect(summary.problems.contains("Z_PRIMARYKEY has several rows for one entity number"))
        #expect(throws: GranaryError.self) { try open(readOnly: true) }
    }

    @Test(
        "Stores with CloudKit tables or an unknown form of history can be read but not written",
        arguments: ["ATRANSACTION", "ACHANGE", "ANSCKRECORDMETADATA"])
    func othersBookkeeping(_ table: String) throws {
        try tamper("CREATE TABLE \(table) ( Z_PK INTEGER PRIMARY KEY )")
        let error = #expect(throws: GranaryError.self) { try open() }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.first?.message.contains(table) == true)
        try readBooks(try open(readOnly: true))
    }

    @Test(
        "A view or virtual table does not count as a table",
        arguments: [
            "CREATE VIEW ZBOOK AS SELECT 1 AS Z_PK, 2 AS Z_ENT, 1 AS Z_OPT, '' AS ZTITLE, 1 AS ZYEAR, 1 AS ZAUTHOR",
            "CREATE VIRTUAL TABLE ZBOOK USING fts4(Z_PK, Z_ENT, Z_OPT, ZTITLE, ZYEAR, ZAUTHOR)",
        ])
    func noTable(_ sql: String) throws {
        try tamper("DROP TABLE ZBOOK; \(sql)")
        let error = #expect(throws: GranaryError.self) { try open(readOnly: true) }
        #expect(error?.diagnostics.contains { $0.message == "the table ZBOOK is missing" } == true)
    }

    @Test(
        "Invalid metadata is refused",
        arguments: [
            "UPDATE Z_METADATA SET Z_PLIST = x'62706C6973743030FFFFFFFF'", "UPDATE Z_METADATA SET Z_PLIST = NULL",
            "UPDATE Z_METADATA SET Z_PLIST = zeroblob(100000)", "UPDATE Z_METADATA SET Z_PLIST = '<plist/>'",
            "UPDATE Z_METADATA SET Z_PLIST = '<plist version=\"1.0\"><array/></plist>'",
            "UPDATE Z_METADATA SET Z_UUID = 'x/y?z'", "UPDATE Z_METADATA SET Z_UUID = NULL",
            "UPDATE Z_METADATA SET Z_VERSION = 2", "DELETE FROM Z_METADATA", "DROP TABLE Z_METADATA",
        ])
    func metadata(_ sql: String) throws {
        try tamper(sql)
        let error = #expect(throws: GranaryError.self) { try open() }
        #expect(error?.code == .refused)
    }

    @Test(
        "Entity numbers or columns that do not match the model are refused",
        arguments: [
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'x' || Z_NAME", "DELETE FROM Z_PRIMARYKEY",
            "INSERT INTO Z_PRIMARYKEY VALUES (-9223372036854775808, 'Book', 0, 0)",
            "UPDATE Z_PRIMARYKEY SET Z_ENT = 9 - Z_ENT",
            "ALTER TABLE ZBOOK DROP COLUMN ZTITLE",
        ])
    func numbers(_ sql: String) throws {
        try tamper(sql)
        let error = #expect(throws: GranaryError.self) { try open() }
        #expect(error?.diagnostics.first?.code == .storeLayout)
    }

    @Test("An entity name from before several migrations is accepted if only one entity remains for it")
    func oldName() throws {
        try tamper("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Buch' WHERE Z_ENT = 2")
        try readBooks(try open())
        try tamper("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Autor' WHERE Z_ENT = 1")
        let error = #expect(throws: GranaryError.self) { try open() }
        #expect(error?.diagnostics.first?.code == .storeLayout)
    }

    @Test(
        "A value with the wrong type is refused when it is read",
        arguments: [
            "ZYEAR = 'nineteen'", "ZYEAR = 1.5", "ZYEAR = x'00'", "ZTITLE = x'FF'", "ZTITLE = CAST(x'61FF' AS TEXT)",
        ])
    func cells(_ assignment: String) throws {
        try tamper("UPDATE ZBOOK SET \(assignment) WHERE Z_PK = 2")
        let store = try open()
        let error = #expect(throws: CellMismatch.self) { try readBooks(store) }
        #expect(error?.message.isEmpty == false)
    }

    @Test(
        "Rows without an entity and references that are not keys are refused",
        arguments: [
            "Z_ENT = 1", "Z_ENT = 0", "Z_ENT = -1", "Z_ENT = 3", "Z_ENT = NULL", "Z_ENT = 'x'", "Z_ENT = x'02'",
            "Z_ENT = -9223372036854775808", "Z_ENT = 9223372036854775807",
            "ZAUTHOR = 'x'", "ZAUTHOR = 1.5", "ZAUTHOR = x'01'",
        ])
    func rows(_ assignment: String) throws {
        try tamper("UPDATE ZBOOK SET \(assignment) WHERE Z_PK = 2")
        let store = try open()
        let error = #expect(throws: GranaryError.self) { _ = try store.read(root: 1, keys: [1, 2, 3]) }
        #expect(error?.diagnostics.first?.code == .storeCorrupt)
        #expect(error?.message.contains("Z_PK 2") == true)
    }

    @Test(
        "Members of a list without an entity are refused",
        arguments: ["9", "-9223372036854775808", "9223372036854775807", "NULL", "'x'"])
    func links(_ number: String) throws {
        try tamper(
            "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1); UPDATE ZBOOK SET ZAUTHOR = 1, Z_ENT = \(number)"
        )
        let store = try open()
        let books = try #require(schema.entities[0].relationship(named: "books"))
        let error = #expect(throws: GranaryError.self) { try store.readLinks(of: books, owners: nil) { _ in } }
        #expect(error?.diagnostics.first?.code == .storeCorrupt)
    }

    @Test("An invalid last key is ignored", arguments: ["'x'", "NULL", "-5", "1.5", "x'00'"])
    func lastKey(_ value: String) throws {
        try tamper("UPDATE Z_PRIMARYKEY SET Z_MAX = \(value) WHERE Z_ENT = 2")
        let store = try open()
        let first = try store.transaction { try $0.reserveKeys(root: 1, count: 1) }
        #expect(first == 4)
    }

    @Test("Unknown tables are not changed")
    func manyTables() throws {
        try tamper((0..<300).map { "CREATE TABLE x\($0) (a, b);" }.joined())
        try insertBook()
        #expect(try open(readOnly: true).count(entity: 1) == 4)
    }
}
