import Foundation
import GranaryBase
import GranarySQLite
import TestSupport
import Testing

struct TransactionTests {
    private struct Stop: Error, Equatable { let number: Int }

    private func connection() throws -> Connection {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (x INTEGER PRIMARY KEY)")
        return connection
    }

    private func content(_ connection: Connection) throws -> String {
        try connection.text("SELECT ifnull(group_concat(x), '') FROM t") ?? ""
    }

    @Test(arguments: [Connection.TransactionKind.deferred, .immediate, .exclusive])
    func commits(_ kind: Connection.TransactionKind) throws {
        let connection = try connection()
        let result = try connection.transaction(kind) {
            try connection.execute("INSERT INTO t VALUES (1)")
            #expect(connection.isInTransaction)
            return 7
        }
        #expect(result == 7)
        #expect(!connection.isInTransaction)
        #expect(try content(connection) == "1")
    }

    @Test(arguments: [Connection.TransactionKind.deferred, .immediate, .exclusive])
    func rollsBackAndKeepsTheError(_ kind: Connection.TransactionKind) throws {
        let connection = try connection()
        #expect(throws: Stop(number: 3)) {
            try connection.transaction(kind) {
                try connection.execute("INSERT INTO t VALUES (1)")
                throw Stop(number: 3)
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try content(connection) == "")
    }

    /// The transaction that SQLite has ended by itself is not committed, and its first error is the one thrown.
    @Test func transactionThatSQLiteRolledBack() throws {
        let connection = try connection()
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                try connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
            }
        }
        #expect(error?.isUniqueViolation == true)
        #expect(try content(connection) == "")
        #expect(throws: SQLiteError.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (1)")
                try? connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try content(connection) == "")
    }

    /// A refused BEGIN must not end the transaction that is there already.
    @Test func transactionWithinATransaction() throws {
        let connection = try connection()
        try connection.transaction {
            try connection.execute("INSERT INTO t VALUES (1)")
            #expect(throws: SQLiteError.self) { try connection.transaction {} }
            #expect(connection.isInTransaction)
        }
        #expect(try content(connection) == "1")
    }

    @Test func refusedCommitIsRolledBack() throws {
        let connection = try connection()
        try connection.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE child (parent REFERENCES t (x) DEFERRABLE INITIALLY DEFERRED)
            """)
        let error = #expect(throws: SQLiteError.self) {
            try connection.transaction { try connection.execute("INSERT INTO child VALUES (99)") }
        }
        #expect(error?.extendedCode == .constraintForeignKey)
        #expect(!connection.isInTransaction)
        #expect(try connection.integer("SELECT count(*) FROM child") == 0)
    }

    /// An unfinished SELECT stands in the way of neither COMMIT nor ROLLBACK.
    @Test func openReaders() throws {
        let connection = try connection()
        try connection.execute("INSERT INTO t VALUES (1), (2), (3)")
        let reader = try connection.prepare("SELECT x FROM t")
        #expect(try reader.step())
        try connection.transaction { try connection.execute("INSERT INTO t VALUES (4)") }
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (5)")
                throw Stop(number: 1)
            }
        }
        #expect(try content(connection) == "1,2,3,4")
    }

    @Test(arguments: [Connection.TransactionKind.immediate, .exclusive])
    func otherWriterIsBusy(_ kind: Connection.TransactionKind) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "shared.sqlite").path
        let first = try Connection(path: path, mode: .create)
        try first.execute("CREATE TABLE t (x)")
        let second = try Connection(path: path, mode: .readWrite, busyTimeout: .milliseconds(1))
        try first.transaction(kind) {
            let error = #expect(throws: SQLiteError.self) { try second.transaction {} }
            #expect(error?.code == .busy)
            #expect(error?.granaryError.code == .busy)
            #expect(error?.granaryError.message.contains("in use by another process") == true)
            #expect(!second.isInTransaction)
        }
        try second.transaction { try second.execute("INSERT INTO t VALUES (1)") }
    }

    @Test func openingALockedFileIsBusy() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "locked.sqlite").path
        let first = try Connection(path: path, mode: .create)
        try first.execute("CREATE TABLE t (x)")
        try first.transaction(.exclusive) {
            let error = #expect(throws: SQLiteError.self) {
                try Connection(path: path, mode: .readOnly, busyTimeout: .zero)
            }
            #expect(error?.granaryError.code == .busy)
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.max), .seconds(Int64.min), .microseconds(1)])
    func anyBusyTimeoutWillDo(_ timeout: Duration) throws {
        let folder = try TemporaryFolder()
        _ = try Connection(path: folder.url.appending(path: "x").path, mode: .create, busyTimeout: timeout)
    }
}
