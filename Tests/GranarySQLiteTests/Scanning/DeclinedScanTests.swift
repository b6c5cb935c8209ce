import Foundation
import TestSupport
import Testing

@testable import GranarySQLite

/// Tables and files that are left to a statement.
@Suite struct DeclinedScanTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.url.appending(path: "t.sqlite").path }

    private func connection(_ sql: String) throws -> Connection {
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(sql)
        return connection
    }

    /// The order of a scan is the order of the rowids, which must be the keys.
    @Test(arguments: [
        ("(k INTEGER PRIMARY KEY, x)", true), ("(k integer primary key, x)", true),
        ("(x, k INTEGER PRIMARY KEY AUTOINCREMENT)", true), ("(k INTEGER, x, PRIMARY KEY (k))", true),
        ("(k INTEGER PRIMARY KEY, x UNIQUE)", true), ("(k INTEGER PRIMARY KEY, x INTEGER) STRICT", true),
        ("(k INTEGER, x)", false), ("(k INTEGER PRIMARY KEY DESC, x)", false), ("(k INT PRIMARY KEY, x)", false),
        ("(k INTEGER, x, PRIMARY KEY (k, x))", false), ("(k VARCHAR PRIMARY KEY, x)", false),
        ("(k INTEGER PRIMARY KEY, x) WITHOUT ROWID", false), ("(k INTEGER UNIQUE, x INTEGER PRIMARY KEY)", false),
        ("(k INTEGER PRIMARY KEY, x DEFAULT 1)", false), ("(k INTEGER PRIMARY KEY, x AS (k + 1))", false),
        ("(k INTEGER PRIMARY KEY, x AS (k + 1) STORED)", false), ("(k INTEGER PRIMARY KEY, y)", false),
    ])
    func tables(_ definition: String, _ isScanned: Bool) throws {
        let connection = try connection("CREATE TABLE t \(definition)")
        // SQLite before 3.37 has no STRICT; the test runs with later ones.
        if isScanned { try connection.execute("INSERT INTO t (k, x) VALUES (5, 1), (2, 2), (9, 3)") }
        #expect(try ScanBench.isScanned(connection, ["k", "x"]) == isScanned)
        if isScanned { try ScanBench.expectSame(connection, ["k", "x"]) }
    }

    @Test func namesThatAreNoTables() throws {
        let connection = try connection(
            """
            CREATE TABLE t (k INTEGER PRIMARY KEY, x); CREATE VIEW v AS SELECT * FROM t;
            CREATE VIRTUAL TABLE f USING fts4(k, x)
            """)
        for name in ["v", "f", "missing", "sqlite_master"] {
            #expect(try !ScanBench.isScanned(connection, ["k", "x"], table: name), "\(name)")
        }
        #expect(try !ScanBench.isScanned(connection, ["k", "k"]))
        #expect(try !ScanBench.isScanned(connection, ["x", "k"]))
    }

    @Test func transactions() throws {
        let connection = try connection("CREATE TABLE t (k INTEGER PRIMARY KEY, x); INSERT INTO t VALUES (1, 1)")
        #expect(try TableScan(connection, table: "t", key: "k", columns: ["k"]) == nil)
        #expect(try ScanBench.isScanned(connection, ["k", "x"]))
        try connection.transaction(.immediate) {
            // The rows of the transaction are not in the file.
            try connection.execute("INSERT INTO t VALUES (2, 2)")
            #expect(try TableScan(connection, table: "t", key: "k", columns: ["k"]) == nil)
        }
        try ScanBench.expectSame(connection, ["k", "x"])
        let memory = try Connection.inMemory()
        try memory.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, x)")
        #expect(try !ScanBench.isScanned(memory, ["k", "x"]))
    }

    @Test(arguments: ["UTF-16le", "UTF-16be"]) func otherEncodings(_ encoding: String) throws {
        let connection = try connection(
            "PRAGMA encoding = '\(encoding)'; CREATE TABLE t (k INTEGER PRIMARY KEY, x); INSERT INTO t VALUES (1, 'é')")
        #expect(try !ScanBench.isScanned(connection, ["k", "x"]))
    }

    private static let log = """
        PRAGMA journal_mode = WAL; CREATE TABLE t (k INTEGER PRIMARY KEY, x);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO t SELECT i, zeroblob(300) FROM n
        """

    @Test func aLogWithRowsIsLeftToSQLite() throws {
        let connection = try connection(Self.log)
        #expect(try !ScanBench.isScanned(connection, ["k", "x"]))
        try connection.checkpoint()
        try ScanBench.expectSame(connection, ["k", "x"])
        try connection.execute("UPDATE t SET x = 'new' WHERE k = 5")
        #expect(try !ScanBench.isScanned(connection, ["k", "x"]))
        try connection.execute("PRAGMA journal_mode = DELETE")
        try ScanBench.expectSame(connection, ["k", "x"])
    }

    /// SQLite uses the log because of the header's read version. The write version is another byte.
    @Test func aHeaderWithTwoVersions() throws {
        let connection = try connection(Self.log)
        try connection.checkpoint()
        try connection.execute("UPDATE t SET x = 'new' WHERE k = 5")
        let copy = folder.url.appending(path: "copy.sqlite").path
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix) }
        var bytes = try Data(contentsOf: URL(filePath: copy))
        bytes[18] = 1
        try bytes.write(to: URL(filePath: copy))
        let other = try Connection(path: copy, mode: .readWrite)
        #expect(try other.text("SELECT x FROM t WHERE k = 5") == "new")
        #expect(try !ScanBench.isScanned(other, ["k", "x"]))
    }

    /// What others commit and copy to the file during a scan is not read by it.
    @Test func aWriterDuringAScan() throws {
        let writer = try connection(Self.log)
        try writer.checkpoint()
        let reader = try Connection(path: path, mode: .readWrite)
        let before = ScanBench.select(writer, ["k", "x"])
        let found = try reader.transaction(.deferred) {
            try ScanBench.scan(reader, ["k", "x"]) {
                try writer.execute("UPDATE t SET x = 'new'; DELETE FROM t WHERE k > 100; PRAGMA wal_checkpoint")
            }
        }
        #expect(found?.step == .end)
        #expect(found?.rows == before.rows)
        #expect(ScanBench.select(reader, ["k", "x"]).rows.count == 100)
        #expect(try !ScanBench.isScanned(reader, ["k", "x"]))
        try writer.checkpoint()
        try ScanBench.expectSame(reader, ["k", "x"])
    }

    /// With a rollback journal, others cannot commit while a scan reads.
    @Test func aScanLocksTheFile() throws {
        let reader = try connection("CREATE TABLE t (k INTEGER PRIMARY KEY, x); INSERT INTO t VALUES (1, 1), (2, 2)")
        let writer = try Connection(path: path, mode: .readWrite, busyTimeout: .zero)
        let found = try reader.transaction(.deferred) {
            try ScanBench.scan(reader, ["k", "x"]) {
                let error = #expect(throws: SQLiteError.self) { try writer.execute("UPDATE t SET x = 9") }
                #expect(error?.code.primary == .busy)
            }
        }
        #expect(found?.rows == ["1 | 1", "2 | 2"])
    }

    /// A store in WAL mode whose log was copied to the file: it is read as immutable, from a copy, or with an empty
    /// log.
    @Test(arguments: [WritePermission.byUs, .byOthers, .byNobody], [true, false])
    func everyWayOfReading(_ permission: WritePermission, _ hasLog: Bool) throws {
        let first = try connection(Self.log)
        if !hasLog { try first.checkpoint() }
        let copy = folder.url.appending(path: "copy.sqlite").path
        for suffix in hasLog ? ["", "-wal"] : [""] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        let source = try Connection.reading(path: copy, busyTimeout: .zero) { _ in permission }
        #expect(ScanBench.select(source, ["k", "x"]).rows.count == 500)
        if try ScanBench.isScanned(source, ["k", "x"]) {
            try ScanBench.expectSame(source, ["k", "x"])
        } else {
            // Only a log is a reason not to scan.
            #expect(hasLog)
        }
    }
}
