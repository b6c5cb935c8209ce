import Foundation
import GranarySQLite
import TestSupport
import Testing

/// Queries of users, which only read.
struct QueryTests {
    private let folder: TemporaryFolder
    private var path: String { folder.url.appending(path: "a.db").path }

    init() throws {
        folder = try TemporaryFolder()
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(
            """
            CREATE TABLE t (a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 'x'), (2, 'y');
            CREATE VIEW v AS SELECT b FROM t WHERE a > 1;
            CREATE TRIGGER u INSTEAD OF UPDATE ON v BEGIN DELETE FROM t; END;
            """)
        try connection.close()
    }

    @Test(arguments: [
        ("SELECT * FROM t", 2), ("SELECT * FROM v", 1), ("VALUES (1), (2), (3);", 3), (" /* a */ SELECT 1 -- b", 1),
        ("WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 5) SELECT x FROM c", 5),
        ("SELECT upper(b), count(*) FROM t GROUP BY b ORDER BY b DESC", 2),
        ("SELECT value FROM json_each('[1, 2]')", 2), ("SELECT name FROM sqlite_schema", 3),
        ("SELECT name FROM pragma_table_info('t')", 2),
    ])
    func readingIsAllowed(_ sql: String, count: Int) throws {
        let connection = try Connection.reading(path: path)
        let statement = try connection.prepareQuery(sql)
        var rows = 0
        while try statement.step() { rows += 1 }
        #expect(rows == count)
    }

    @Test(arguments: [
        "DELETE FROM t", "INSERT INTO t VALUES (3, 3) RETURNING a", "WITH c AS (SELECT 1) UPDATE t SET b = 1",
        "UPDATE v SET b = 1", "CREATE TABLE n (a)", "CREATE TEMP TABLE n (a)", "DROP TABLE t", "BEGIN", "COMMIT",
        "SAVEPOINT s", "ATTACH 'other.db' AS o", "ATTACH ':memory:' AS o", "DETACH main", "PRAGMA table_info(t)",
        "PRAGMA query_only = OFF", "PRAGMA writable_schema = ON", "VACUUM", "VACUUM INTO 'copy.db'", "ANALYZE",
        "REINDEX", "SELECT 1; DELETE FROM t", "SELECT load_extension('x') FROM t; BEGIN",
    ])
    func everythingElseIsRefused(_ sql: String) throws {
        let before = try Data(contentsOf: folder.url.appending(path: "a.db"))
        for connection in [try Connection.reading(path: path), try Connection(path: path, mode: .readWrite)] {
            let error = #expect(throws: SQLiteError.self) { try connection.prepareQuery(sql) }
            #expect(error?.code == .authorization, "\(String(describing: error))")
        }
        #expect(try Data(contentsOf: folder.url.appending(path: "a.db")) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.db"])
    }

    @Test(arguments: [
        "SELECT 1; SELECT 2", "", "-- x", "SELECT nope FROM t", "SELECT \"nope\" FROM t", "nonsense",
        "UPDATE sqlite_schema SET sql = ''",
    ])
    func malformedOnesAreErrors(_ sql: String) throws {
        let connection = try Connection.reading(path: path)
        let error = #expect(throws: SQLiteError.self) { try connection.prepareQuery(sql) }
        #expect([.misuse, .error].contains(error?.code), "\(String(describing: error))")
    }

    @Test func extensionsAreNotLoaded() throws {
        let statement = try Connection.reading(path: path).prepareQuery("SELECT load_extension('x')")
        #expect(throws: SQLiteError.self) { try statement.step() }
    }

    @Test func otherStatementsAreNotRestricted() throws {
        let connection = try Connection(path: path, mode: .readWrite)
        _ = try connection.prepareQuery("SELECT 1")
        #expect(throws: SQLiteError.self) { try connection.prepareQuery("PRAGMA user_version") }
        try connection.execute("PRAGMA user_version = 3; DELETE FROM t")
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    }
}
