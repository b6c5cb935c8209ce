import Foundation
import GranaryBase
import GranarySQLite
import TestSupport
import Testing

struct ChangedPagesTests {
    private func size(_ path: String) throws -> Int { try Data(contentsOf: URL(filePath: path)).count }

    /// A reader in the way costs one wait, and then an error, not a wait for every page.
    @Test func aReaderIsWaitedForOnce() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "shared.sqlite").path
        let first = try Connection(path: path, mode: .create)
        try first.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        try first.close()
        let reader = try Connection(path: path, mode: .readOnly)
        try reader.execute("BEGIN; SELECT x FROM t")
        let writer = try Connection(path: path, mode: .readWrite, busyTimeout: .milliseconds(50))
        try writer.execute("BEGIN IMMEDIATE")
        let start = ContinuousClock.now
        // Twice of what SQLite's cache holds by default.
        for _ in 0..<4_000 { try writer.execute("INSERT INTO t VALUES (zeroblob(1000))") }
        // Within the limit nothing is written, so nobody is in the way.
        try writer.writeOutChangedPages()
        let error = #expect(throws: SQLiteError.self) { try writer.writeOutChangedPages(beyond: 1 << 20) }
        #expect(error?.code == .busy)
        #expect(error?.granaryError.code == .busy)
        // Some 800 pages do not fit into the cache, and each would have waited.
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(writer.isInTransaction)
        try writer.execute("ROLLBACK")
        #expect(try writer.integer("SELECT COUNT(*) FROM t") == 1)
        try reader.execute("COMMIT")
    }

    @Test(arguments: [("ROLLBACK", 1), ("COMMIT", 4_001)] as [(String, Int64)])
    func aTransactionGoesOnAfterwards(end: String, count: Int64) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "one.sqlite").path
        let first = try Connection(path: path, mode: .create)
        try first.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        try first.close()
        let writer = try Connection(path: path, mode: .readWrite)
        try writer.execute("BEGIN IMMEDIATE")
        for index in 0..<4_000 {
            try writer.execute("INSERT INTO t VALUES (zeroblob(1000))")
            if index % 1_000 == 999 { try writer.writeOutChangedPages(beyond: 1 << 20) }
        }
        try writer.execute(end)
        #expect(try writer.integer("SELECT COUNT(*) FROM t") == count)
        #expect(try writer.text(pragma: "integrity_check") == "ok")
        try writer.close()
        #expect(try size(path) > 3 << 20 || end == "ROLLBACK")
    }
}
