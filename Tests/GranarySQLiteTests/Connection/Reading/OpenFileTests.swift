import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranarySQLite

/// Reading a file that this process has open already.
struct OpenFileTests {
    let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.url.appending(path: "a.sqlite").path
    }

    private func writer(_ journalMode: String) throws -> Connection {
        let connection = try Connection(path: path, mode: .create)
        #expect(try connection.text(pragma: "journal_mode = \(journalMode)") == journalMode)
        try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
        return connection
    }

    private func count(_ connection: Connection) throws -> Int64? { try connection.integer("SELECT count(*) FROM t") }

    @Test(arguments: ["delete", "wal"]) func aReaderBesideAWriterIsNoCopy(journalMode: String) throws {
        let writer = try writer(journalMode)
        let reader = try Connection.reading(path: path)
        #expect(reader.snapshotNote == nil)
        #expect(try count(reader) == 1)
        try writer.execute("INSERT INTO t VALUES (2)")
        #expect(try count(reader) == 2)
        try reader.close()
        try writer.execute("INSERT INTO t VALUES (3)")
        try writer.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.sqlite"])
        #expect(try count(Connection.reading(path: path)) == 3)
    }

    @Test func aLockOfThisProcessIsBusy() throws {
        let writer = try writer("delete")
        try writer.transaction(.exclusive) {
            let error = #expect(throws: SQLiteError.self) {
                try Connection.reading(path: path, busyTimeout: .zero)
            }
            #expect(error?.granaryError.code == .busy)
        }
    }

    /// A reader that closes last leaves a log that others have written to as it is.
    @Test func theLogOfAWriterThatHasGoneStays() throws {
        let writer = try writer("wal")
        let reader = try Connection.reading(path: path)
        #expect(try count(reader) == 1)
        try writer.execute("INSERT INTO t VALUES (2)")
        try writer.close()
        let origin = SQLiteError.Origin(path: path, mode: .readOnly)
        let before = try FileSet(path, origin: origin)
        try reader.close()
        let after = try FileSet(path, origin: origin)
        #expect(after == before)
        #expect(after?.hasLogContent == true)
        #expect(try count(Connection.reading(path: path)) == 2)
    }

    @Test func isKnownForAsLongAsItIsOpen() throws {
        let writer = try writer("delete")
        let identity = try #require(FileIdentity(path: path))
        #expect(OpenFile.isOpen(identity))
        var statement: Statement? = try writer.prepare("SELECT x FROM t")
        #expect(throws: SQLiteError.self) { try writer.close() }
        #expect(OpenFile.isOpen(identity))
        #expect(try statement?.step() == true)
        statement = nil
        try writer.close()
        #expect(!OpenFile.isOpen(identity))
    }

    @Test func aStatementKeepsItKnown() throws {
        var writer: Connection? = try writer("delete")
        let identity = try #require(FileIdentity(path: path))
        var statement: Statement? = try writer?.prepare("SELECT x FROM t")
        writer = nil
        #expect(OpenFile.isOpen(identity))
        #expect(try statement?.step() == true)
        statement = nil
        #expect(!OpenFile.isOpen(identity))
    }

    /// Closing it would give up the connection's locks.
    @Test func descriptorsWaitForConnections() throws {
        try writer("delete").close()
        let identity = try #require(FileIdentity(path: path))
        var descriptor = SideDescriptor(path, of: identity)
        let number = try #require(descriptor?.number)
        let connection = try Connection(path: path, mode: .readWrite)
        descriptor = nil
        #expect(fcntl(number, F_GETFD) != -1)
        try connection.close()
        #expect(!OpenFile.isOpen(identity))
    }
}
