import Foundation
import TestSupport
import Testing

@testable import GranarySQLite

/// Scanned tables, beside the same tables read by SQLite.
@Suite struct TableScanTests {
    private static let types = ["INTEGER", "FLOAT", "VARCHAR", "BLOB", "TIMESTAMP", "DECIMAL", ""]
    private static let columns = ["k"] + types.indices.map { "c\($0)" }

    private static func row(_ random: inout SeededGenerator, longest: Int) -> [LoadedValue] {
        types.map { _ in LoadedValue.random(&random, longest: longest) }
    }

    @Test(arguments: [512, 4096, 65_536], [0, 1, 2])
    func generatedTables(_ pageSize: Int, _ autoVacuum: Int) throws {
        try Self.check(pageSize, autoVacuum, counts: [0, 1, 2, 100], seed: 1)
    }

    static func check(_ pageSize: Int, _ autoVacuum: Int, counts: [Int], seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(pageSize + autoVacuum + 1_000_000 * seed))
        for count in counts {
            let folder = try TemporaryFolder()
            let path = folder.url.appending(path: "t.sqlite").path
            var key = Int64.random(in: -50...50, using: &random)
            let rows = (0..<count).map { _ in
                key += Int64.random(in: 1...3, using: &random)
                return (key, row(&random, longest: min(pageSize * 3, 12_000)))
            }
            try LoadingBench(types: types, pageSize: pageSize, autoVacuum: autoVacuum).insert(rows, path)
            let connection = try Connection(path: path, mode: .readWrite)
            try ScanBench.expectSame(connection, columns)
            for change in [
                "DELETE FROM t WHERE k % 3 = 0", "UPDATE t SET c2 = c2 || c2 || 'x' WHERE k % 5 = 1",
                "INSERT OR IGNORE INTO t (k, c3) VALUES (0, zeroblob(140000)), (-5, x'01'), (3, NULL)",
                "PRAGMA incremental_vacuum", "VACUUM",
            ] {
                try connection.execute(change)
                try ScanBench.expectSame(connection, columns, change)
            }
            // Some columns, in another order.
            try ScanBench.expectSame(connection, ["k", "c4", "c1"])
            try ScanBench.expectSame(connection, ["k"])
            // Old rows have no value for a new column.
            try connection.execute(
                "ALTER TABLE t ADD COLUMN n REAL; INSERT INTO t (k, n) VALUES (100000, 7), (100001, 1.5)")
            try ScanBench.expectSame(connection, columns + ["n"])
            try connection.execute("ALTER TABLE t DROP COLUMN c1; ALTER TABLE t RENAME COLUMN c2 TO m")
            try ScanBench.expectSame(connection, ["k", "m", "n", "c3"])
        }
    }

    /// Payloads around each limit: of the part that is in the leaf, and of each overflow page.
    @Test(arguments: [512, 1024])
    func everyLengthAroundTheLimits(_ size: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "t.sqlite").path
        var rows: [(Int64, [LoadedValue])] = []
        for limit in [57, size - 35, size - 12, size, 2 * size - 4, 10 * (size - 4)] {
            for length in max(0, limit - 12)...limit + 12 {
                rows.append((Int64(rows.count + 1), [.text(Array(repeating: 0x61, count: length)), .integer(1)]))
            }
        }
        try LoadingBench(types: ["VARCHAR", "INTEGER"], pageSize: size).insert(rows, path)
        try ScanBench.expectSame(try Connection(path: path, mode: .readWrite), ["k", "c0", "c1"])
    }

    @Test func treesOfSeveralLevelsAndExtremeKeys() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "t.sqlite").path
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(
            """
            PRAGMA page_size = 512; CREATE TABLE t (k INTEGER PRIMARY KEY, x);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
            INSERT INTO t SELECT i * 7 % 9001, zeroblob(150) FROM n;
            INSERT INTO t VALUES (-9223372036854775808, 'a'), (9223372036854775807, 'b'), (-1, 'c'), (0, 'd')
            """)
        try ScanBench.expectSame(connection, ["k", "x"])
        try connection.execute("DELETE FROM t WHERE k BETWEEN 100 AND 8000")
        try ScanBench.expectSame(connection, ["k", "x"])
    }

    /// Pages whose last bytes are reserved for an extension.
    @Test func reservedBytes() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "t.sqlite").path
        let first = try Connection(path: path, mode: .create)
        try first.execute("PRAGMA page_size = 1024; PRAGMA user_version = 1")
        try first.close()
        // The header's number of reserved bytes, and the start of the cells of the empty first page.
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[20] = 32
        (bytes[105], bytes[106]) = (UInt8((1024 - 32) >> 8), UInt8((1024 - 32) & 0xFF))
        try bytes.write(to: URL(filePath: path))
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.execute(
            """
            CREATE TABLE t (k INTEGER PRIMARY KEY, x);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
            INSERT INTO t SELECT i, randomblob(i * 20) FROM n
            """)
        #expect(try connection.text(pragma: "integrity_check") == "ok")
        try ScanBench.expectSame(connection, ["k", "x"])
    }

    @Test func realColumnsAndNaN() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "t.sqlite").path
        let first = try Connection(path: path, mode: .create)
        let types = [
            "REAL", "real", "DOUBLE PRECISION", "FLOAT", "FLOATING POINT", "CHARREAL", "BLOBREAL", "NUMERIC", "",
        ]
        let names = types.indices.map { "c\($0)" }
        try first.execute(
            "CREATE TABLE t (k INTEGER PRIMARY KEY, "
                + zip(names, types).map { "\($0) \($1)" }.joined(separator: ", ") + ")")
        for value in ["7", "-3.0", "1.5", "'9'", "'x'", "x'31'", "NULL", "9007199254740993", "-0.0"] {
            let values = names.map { _ in value }.joined(separator: ", ")
            try first.execute("INSERT INTO t (\(names.joined(separator: ", "))) VALUES (\(values))")
        }
        try first.execute("INSERT INTO t (c0) VALUES (12345678.90625)")
        try first.close()
        // SQLite never writes NaN, and reads it as NULL.
        let number = withUnsafeBytes(of: (12345678.90625).bitPattern.bigEndian) { Data($0) }
        var bytes = try Data(contentsOf: URL(filePath: path))
        let place = try #require(bytes.range(of: number))
        bytes.replaceSubrange(place, with: withUnsafeBytes(of: Double.nan.bitPattern.bigEndian) { Data($0) })
        try bytes.write(to: URL(filePath: path))
        try ScanBench.expectSame(try Connection(path: path, mode: .readOnly), ["k"] + names)
    }

    /// Integers at the start of rows, with and without overflow pages behind them.
    @Test func integersWithoutOverflowPages() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "t.sqlite").path
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(
            """
            PRAGMA page_size = 512; CREATE TABLE t (k INTEGER PRIMARY KEY, e INTEGER, long, r REAL, last INTEGER);
            INSERT INTO t VALUES (1, 7, 'short', 3, 5), (2, -300, zeroblob(9000), 3, 5), (3, NULL, 'short', 3, 5),
            (4, 'x', zeroblob(9000), 3, 5), (5, 1, NULL, 3, 70000), (6, 0, NULL, 3, 9223372036854775807)
            """)
        let found = try connection.transaction(.deferred) {
            let scan = try #require(
                try TableScan(connection, table: "t", key: "k", columns: ["k", "e", "r", "last"]))
            var rows: [[Int64?]] = []
            var overflows: [Int64] = []
            while scan.next() == .row {
                rows.append((0..<4).map { scan.integer($0) })
                if scan.hasOverflow { overflows.append(scan.rowID) }
            }
            #expect(overflows == [2, 4])
            return rows
        }
        // The rowid and REAL columns are left to `read`, and so is what is on an overflow page.
        #expect(
            found == [
                [nil, 7, nil, 5], [nil, -300, nil, nil], [nil, nil, nil, 5], [nil, nil, nil, nil],
                [nil, 1, nil, 70_000],
                [nil, 0, nil, Int64.max],
            ])
    }

    /// A scan that is asked for more at its end.
    @Test func theEndRemains() throws {
        let folder = try TemporaryFolder()
        let connection = try Connection(path: folder.url.appending(path: "t.sqlite").path, mode: .create)
        try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY); INSERT INTO t VALUES (5)")
        try connection.transaction(.deferred) {
            let scan = try #require(try TableScan(connection, table: "t", key: "k", columns: ["k"]))
            let steps = (0..<4).map { _ in scan.next() }
            #expect(steps == [.row, .end, .end, .end])
            #expect(scan.rowID == 5)
        }
    }
}

@Suite struct TableScanLongTests {
    @Test(arguments: [512, 1024, 8192, 65_536], [0, 1, 2])
    func generatedTables(_ pageSize: Int, _ autoVacuum: Int) throws {
        try TableScanTests.check(pageSize, autoVacuum, counts: [3, 10, 100, 1000], seed: 2)
    }
}
