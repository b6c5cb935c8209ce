import Foundation
import GranaryBase
import GranarySQLite
import TestSupport
import Testing

/// Statements end when the work of their thread is cancelled.
struct CancelledStatementTests {
    private static let endless =
        "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"

    @Test func aRunningStatementEnds() throws {
        let connection = try Connection.inMemory()
        let cancellation = Cancellation()
        Thread.detachNewThread { cancellation.cancel() }
        let error = #expect(throws: SQLiteError.self) {
            try Cancellation.$current.withValue(cancellation) { try connection.integer(Self.endless) }
        }
        #expect(error?.code == .interrupted)
        #expect(error?.granaryError.code == .interrupted)
        #expect(try connection.integer("SELECT 1") == 1)
    }

    @Test func theTransactionIsRolledBack() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a)")
        let cancellation = Cancellation()
        #expect(throws: SQLiteError.self) {
            try Cancellation.$current.withValue(cancellation) {
                try connection.transaction {
                    try connection.execute("INSERT INTO t VALUES (1)")
                    cancellation.cancel()
                    _ = try connection.integer(Self.endless)
                }
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.integer("SELECT COUNT(*) FROM t") == 0)
    }

    @Test func aStatementThatWaitsForALockEnds() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "a.sqlite").path
        let other = try Connection(path: path, mode: .create)
        try other.execute("CREATE TABLE t (a); BEGIN EXCLUSIVE")
        let cancellation = Cancellation()
        Thread.detachNewThread { cancellation.cancel() }
        Cancellation.$current.withValue(cancellation) {
            let error = #expect(throws: SQLiteError.self) {
                try Connection(path: path, mode: .readWrite, busyTimeout: .seconds(3600))
            }
            #expect(error?.granaryError.code == .interrupted)
        }
        let error = #expect(throws: SQLiteError.self) {
            try Connection(path: path, mode: .readWrite, busyTimeout: .milliseconds(40))
        }
        #expect(error?.granaryError.code == .busy)
    }

    @Test func aTaskThatIsCancelledEndsItsStatement() async throws {
        let task = Task {
            try await InBackground.run { _ in try Connection.inMemory().integer(Self.endless) }
        }
        task.cancel()
        let error = await #expect(throws: SQLiteError.self) { try await task.value }
        #expect(error?.code == .interrupted)
    }
}
