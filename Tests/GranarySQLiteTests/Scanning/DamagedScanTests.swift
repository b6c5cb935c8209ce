import Foundation
import TestSupport
import Testing

@testable import GranarySQLite

/// Scans of damaged files. They end without a trap, give ascending keys, and give the rows that SQLite gives, as far as
/// both read.
@Suite struct DamagedScanTests {
    /// A table of several levels with overflow pages, in pages of 512 bytes, among other tables.
    static func sound(in folder: TemporaryFolder) throws -> [UInt8] {
        let path = folder.url.appending(path: "sound.sqlite").path
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(
            """
            PRAGMA page_size = 512; CREATE TABLE before (a); CREATE TABLE t (k INTEGER PRIMARY KEY, a, b REAL, c TEXT);
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
            INSERT INTO t SELECT i * 3, CASE i % 5 WHEN 0 THEN NULL ELSE i << i END, i / 4.0, substr(hex(zeroblob(900)), 1,
            CASE i % 10 WHEN 0 THEN 1700 ELSE i END) FROM n;
            CREATE TABLE behind (a); INSERT INTO before VALUES (1); INSERT INTO behind VALUES (2)
            """)
        try connection.close()
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    private static let columns = ["k", "a", "b", "c"]

    @Test func randomDamage() throws {
        let folder = try TemporaryFolder()
        let sound = try Self.sound(in: folder)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<250 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            try Self.check(bytes, folder, "")
        }
    }

    @Test(arguments: [0, 1, 100, 511, 512, 513, 2048, 2049])
    func shortenedFiles(_ missing: Int) throws {
        let folder = try TemporaryFolder()
        let sound = try Self.sound(in: folder)
        try Self.check(Array(sound.dropLast(missing)), folder, "\(missing) bytes are missing")
    }

    static func check(_ bytes: [UInt8], _ folder: TemporaryFolder, _ comment: String) throws {
        let path = folder.url.appending(path: "damaged.sqlite").path
        try Data(bytes).write(to: URL(filePath: path))
        defer { for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) } }
        // A file that SQLite does not open is not scanned either.
        guard let connection = try? Connection(path: path, mode: .readOnly, busyTimeout: .zero) else { return }
        let scanned = try? connection.transaction(.deferred) { try ScanBench.scan(connection, columns) }
        guard let found = scanned else { return }
        let isAscending = zip(found.keys, found.keys.dropFirst()).allSatisfy { $0 < $1 }
        if !isAscending { Issue.record("the keys of a scan do not ascend; \(comment)") }
        let expected = ScanBench.select(connection, columns)
        let common = min(found.rows.count, expected.rows.count)
        if found.rows[..<common] != expected.rows[..<common] { Issue.record("other rows than SQLite's; \(comment)") }
        if found.step == .end, expected.error == nil, found.rows.count != expected.rows.count {
            Issue.record("\(found.rows.count) rows, and \(expected.rows.count) of SQLite; \(comment)")
        }
        if found.step == .stopped, expected.error == nil, found.rows.count > expected.rows.count {
            Issue.record("more rows than SQLite's; \(comment)")
        }
    }

    /// A loop of interior pages, and a chain of overflow pages that leads back to itself.
    @Test func loops() throws {
        let folder = try TemporaryFolder()
        let sound = try Self.sound(in: folder)
        let pageSize = 512
        for page in 1..<sound.count / pageSize {
            let start = page * pageSize
            var bytes = sound
            if sound[start] == 0x05 {
                // The last child is the page itself.
                Self.put(UInt32(page + 1), at: start + 8, of: &bytes)
            } else {
                // The next overflow page is the page itself, if it is one.
                Self.put(UInt32(page + 1), at: start, of: &bytes)
            }
            try Self.check(bytes, folder, "page \(page + 1)")
        }
    }

    private static func put(_ number: UInt32, at place: Int, of bytes: inout [UInt8]) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * index)) }
    }
}

@Suite struct DamagedScanLongTests {
    @Test func everyByte() throws {
        let folder = try TemporaryFolder()
        let sound = try DamagedScanTests.sound(in: folder)
        for place in sound.indices {
            var bytes = sound
            bytes[place] ^= [0x01, 0x80, 0xFF][place % 3]
            try DamagedScanTests.check(bytes, folder, "byte \(place)")
        }
    }
}
