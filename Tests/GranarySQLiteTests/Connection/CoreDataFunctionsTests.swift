import Foundation
import GranarySQLite
import Testing

/// Triggers as Core Data writes them (docs/core-data/sqlite-layout.md#derived-attributes) run on our connections.
struct CoreDataFunctionsTests {
    @Test func derivedCount() throws {
        let connection = try Connection.inMemory()
        try connection.execute(
            """
            CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPAGESCOUNT INTEGER);
            CREATE TABLE ZPAGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBOOK INTEGER);
            CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_INSERT AFTER INSERT ON ZPAGE FOR EACH ROW \
            WHEN (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = IFNULL(ZPAGESCOUNT, 0) + 1 \
            WHERE Z_PK = NEW.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, \
            'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END;
            CREATE TRIGGER Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN \
            UPDATE ZBOOK SET ZPAGESCOUNT = (SELECT IFNULL(COUNT(ZBOOK), 0) FROM ZPAGE WHERE ZBOOK = NEW.Z_PK) \
            WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, \
            'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END;
            INSERT INTO ZBOOK VALUES (1, 1, 1, NULL);
            INSERT INTO ZPAGE VALUES (1, 2, 1, 1), (2, 2, 1, 1), (3, 2, 1, NULL);
            """)
        #expect(try connection.integer("SELECT ZPAGESCOUNT FROM ZBOOK") == 2)
    }

    @Test func nowAndTheThirdFunction() throws {
        let connection = try Connection.inMemory()
        try connection.execute(
            """
            CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER, ZUPDATE TIMESTAMP);
            CREATE TRIGGER t AFTER UPDATE OF Z_OPT ON ZITEM BEGIN \
            UPDATE ZITEM SET ZUPDATE = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; \
            SELECT NSCoreDataTriggerUpdateAffectedObjectValue('ZITEM', 1, Z_PK, 'update') FROM ZITEM; END;
            INSERT INTO ZITEM VALUES (1, 1, NULL);
            """)
        let before = Date().timeIntervalSinceReferenceDate
        try connection.execute("UPDATE ZITEM SET Z_OPT = 2")
        let after = Date().timeIntervalSinceReferenceDate
        let statement = try connection.prepare("SELECT ZUPDATE FROM ZITEM")
        #expect(try statement.step())
        #expect(statement.type(at: 0) == .real)
        #expect((before...after).contains(statement.double(at: 0)))
    }

    /// The text that a function makes of an SQL value; "NULL" for NULL.
    private func answer(_ call: String) throws -> String {
        let statement = try Connection.inMemory().prepare("SELECT \(call)")
        guard try statement.step() else { return "no row" }
        return try statement.string(at: 0) ?? "NULL"
    }

    @Test(arguments: [
        ("NSCoreDataCanonical('Crème BRÛLÉE')", "creme brulee"), ("NSCoreDataCanonical('ABC')", "abc"),
        ("NSCoreDataCanonical('')", ""), ("NSCoreDataCanonical(NULL)", "NULL"), ("NSCoreDataCanonical(12)", "12"),
        ("NSCoreDataToUpper('straße é')", "STRASSE É"), ("NSCoreDataToUpper(NULL)", "NULL"),
        ("NSCoreDataToLower('ÀÉ X')", "àé x"), ("NSCoreDataToLower(1.5)", "1.5"),
        ("NSCoreDataToLower(x'41FF42')", "a\u{FFFD}b"), ("NSCoreDataCanonical(CAST(x'C3' AS TEXT))", "\u{FFFD}"),
        ("NSCoreDataToUpper('a' || char(0) || 'b')", "A\u{0}B"),
        ("NSCoreDataCanonical(zeroblob(3))", "\u{0}\u{0}\u{0}"),
    ])
    func textFunctions(_ call: String, _ expected: String) throws {
        #expect(try answer(call) == expected)
    }

    /// What an untrusted schema may call, and indexes too: innocuous and deterministic.
    @Test func inSchemas() throws {
        let connection = try Connection.inMemory()
        try connection.execute(
            """
            CREATE TABLE t (a TEXT, b TEXT GENERATED ALWAYS AS (NSCoreDataToUpper(a)));
            CREATE INDEX i ON t (NSCoreDataCanonical(a));
            INSERT INTO t (a) VALUES ('é');
            """)
        #expect(try connection.text("SELECT b FROM t WHERE NSCoreDataCanonical(a) = 'e'") == "É")
    }
}
