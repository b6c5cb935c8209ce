import Foundation
import GranaryBase
import GranarySQLite
import TestSupport
import Testing

struct SQLiteErrorTests {
    @Test(arguments: [
        ("INSERT INTO t VALUES (1, 'a', 'b', 5)", ResultCode.constraintPrimaryKey, ["t.k"]),
        ("INSERT INTO t VALUES (2, 'x', 'y', 5)", .constraintUnique, ["t.a", "t.b"]),
        ("INSERT INTO t VALUES (2, NULL, 'b', 5)", .constraintNotNull, []),
        ("INSERT INTO t VALUES (2, 'a', 'b', -5)", .constraintCheck, []),
        ("INSERT INTO t VALUES (2, 'a', 'b', 99)", .constraintForeignKey, []),
        ("INSERT INTO t VALUES (2, 'a', 'b', 0)", .constraintTrigger, []),
    ])
    func constraints(_ sql: String, code: ResultCode, columns: [String]) throws {
        let connection = try Connection.inMemory()
        try connection.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE p (k INTEGER PRIMARY KEY);
            CREATE TABLE t (k INTEGER PRIMARY KEY, a NOT NULL, b, p CHECK (p >= 0) REFERENCES p, UNIQUE (a, b));
            CREATE TRIGGER g BEFORE INSERT ON t WHEN NEW.p = 0 BEGIN SELECT RAISE(ABORT, 'no zero'); END;
            INSERT INTO p VALUES (5);
            INSERT INTO t VALUES (1, 'x', 'y', 5);
            """)
        let error = #expect(throws: SQLiteError.self) { try connection.execute(sql) }
        #expect(error?.code == .constraint)
        #expect(error?.extendedCode == code)
        #expect(error?.isUniqueViolation == !columns.isEmpty)
        #expect(error?.uniqueColumns == columns)
        #expect(error?.sql == sql)
        #expect(error?.granaryError.code == .refused)
        if code == .constraintTrigger { #expect(error?.message == "no zero") }
    }

    /// SQLite names the index where an expression has no column.
    @Test func uniqueExpression() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a); CREATE UNIQUE INDEX i ON t (lower(a)); INSERT INTO t VALUES ('x')")
        let error = #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES ('X')") }
        #expect(error?.isUniqueViolation == true)
        #expect(error?.uniqueColumns == [])
    }

    @Test func saysWhereAndWhat() throws {
        let connection = try Connection.inMemory()
        let error = #expect(throws: SQLiteError.self) { try connection.execute("SELECT * FROM missing") }
        #expect(
            error?.description
                == "in memory: no such table: missing (SQLite result code 1), in: SELECT * FROM missing")
        // Our statements name what Core Data's stores have, so a store without it is at fault.
        #expect(error?.granaryError.code == .refused)
        #expect(error?.granaryError.underlying is SQLiteError)
        let ours = #expect(throws: SQLiteError.self) { try connection.execute("SELEKT 1") }
        #expect(ours?.granaryError.code == .internalDefect)
    }

    @Test func longSQLIsShortened() throws {
        let sql = "SELECT " + String(repeating: "1,", count: 500) + "nothing"
        let connection = try Connection.inMemory()
        let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
        #expect(error?.sql?.hasSuffix("… (1014 bytes)") == true)
        #expect((error?.sql?.count ?? 0) < 120)
    }

    /// The mapping of every primary code that a user can meet.
    @Test(arguments: [
        (ResultCode.busy, Connection.Mode.readWrite, GranaryError.Code.busy), (.locked, .readWrite, .busy),
        (.full, .readWrite, .inputOutput), (.inputOutput, .readOnly, .inputOutput),
        (.outOfMemory, .readOnly, .inputOutput), (.cannotOpen, .readOnly, .unreadable),
        (.cannotOpen, .readWrite, .unreadable), (.cannotOpen, .create, .uncreatable), (.corrupt, .readOnly, .refused),
        (.notADatabase, .create, .refused), (.readOnly, .readWrite, .uncreatable), (.readOnly, .readOnly, .unreadable),
        (.permission, .create, .uncreatable), (.constraint, .create, .refused), (.tooBig, .create, .refused),
        (.interrupted, .create, .interrupted),
        (.error, .create, .internalDefect),
        (.misuse, .create, .internalDefect), (.range, .create, .internalDefect), (.mismatch, .create, .internalDefect),
    ])
    func meaning(_ code: ResultCode, mode: Connection.Mode, meaning: GranaryError.Code) throws {
        let folder = try TemporaryFolder()
        var error = try #require(
            #expect(throws: SQLiteError.self) { try Connection(path: folder.url.path, mode: .create) })
        error.extendedCode = ResultCode(rawValue: code.rawValue | 7 << 8)
        error.mode = mode
        error.message = "detail"
        #expect(error.code == code)
        #expect(error.granaryError.code == meaning)
        #expect(error.granaryError.message.hasPrefix(folder.url.path + ": "))
    }

    /// A disk that is full, made from SQLite's own page limit.
    @Test func fullDisk() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (x); PRAGMA max_page_count = 4")
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction { try connection.execute("INSERT INTO t VALUES (zeroblob(100000))") }
        }
        #expect(error?.code == .full)
        #expect(error?.granaryError.code == .inputOutput)
        #expect(!connection.isInTransaction)
    }
}
