import GranaryBase
import GranarySQLite
import Testing

/// What a stranger's file tries, and what comes of it.
struct HardeningTests {
    private func failure(_ script: String) throws -> SQLiteError? {
        let connection = try Connection.inMemory()
        return #expect(throws: SQLiteError.self) { try connection.execute(script) }
    }

    @Test func viewsAreNotRead() throws {
        let error = try failure(
            "CREATE TABLE t (x); CREATE VIEW ZPATIENT AS SELECT x FROM t; SELECT count(*) FROM ZPATIENT")
        #expect(error?.message == "access to view \"ZPATIENT\" prohibited")
        #expect(error?.granaryError.code == .refused)
    }

    @Test func triggersCallHarmlessFunctionsOnly() throws {
        let error = try failure(
            """
            CREATE TABLE t (x);
            CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT fts3_tokenizer('simple', NULL); END;
            INSERT INTO t VALUES (1)
            """)
        #expect(error?.message.hasPrefix("unsafe use of ") == true)
        #expect(error?.granaryError.code == .refused)
    }

    @Test func triggersOfUnknownFunctionsAreTheStoresFault() throws {
        let error = try failure(
            """
            CREATE TABLE t (x);
            CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT someApp(); END;
            INSERT INTO t VALUES (1)
            """)
        #expect(error?.message == "no such function: someApp")
        #expect(error?.granaryError.code == .refused)
    }

    @Test func triggersDoNotRunForEver() throws {
        let script = """
            CREATE TABLE t (x);
            CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO t VALUES (NEW.x + 1); END;
            INSERT INTO t VALUES (1);
            """
        let connection = try Connection.inMemory()
        try connection.execute(script)
        #expect(try connection.integer("SELECT count(*) FROM t") == 2)
        let error = try failure("PRAGMA recursive_triggers = ON;" + script)
        #expect(error?.message == "too many levels of trigger recursion")
        #expect(error?.granaryError.code == .refused)
    }

    /// With SQLite's default a missing column would read as the text of its name, in every row.
    @Test func quotedNameOfNoColumnIsAnError() throws {
        let error = try failure("CREATE TABLE t (x); INSERT INTO t VALUES (1); SELECT \"ZNAEM\" FROM t")
        #expect(error?.message.hasPrefix("no such column: ") == true)
    }

    @Test func schemaIsNotATable() throws {
        let error = try failure("PRAGMA writable_schema = ON; DELETE FROM sqlite_master")
        #expect(error?.message == "table sqlite_master may not be modified")
    }

    @Test func sqlLengthIsLimited() throws {
        let error = try failure("SELECT '" + String(repeating: "x", count: Connection.sqlLengthLimit) + "'")
        #expect(error?.code == .tooBig)
        // The limit is a statement's; a script may be longer.
        let half = "SELECT '" + String(repeating: "x", count: Connection.sqlLengthLimit / 2) + "';"
        try Connection.inMemory().execute(half + half + half)
    }

    @Test func safetyPragmas() throws {
        let connection = try Connection.inMemory()
        #expect(try connection.integer(pragma: "cell_size_check") == 1)
        // Nil for a database in memory.
        #expect(try connection.integer(pragma: "mmap_size") ?? 0 == 0)
        #expect(try connection.integer(pragma: "trusted_schema") == 0)
        #expect(try connection.integer(pragma: "recursive_triggers") == 0)
    }
}
