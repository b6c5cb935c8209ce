import Foundation
import GranaryBase
import GranarySQLite
import Synchronization
import Testing

struct InterruptHandleTests {
    private static let endless =
        "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"

    @Test func stopsAStatementFromAnotherThread() throws {
        let connection = try Connection.inMemory()
        let handle = connection.interruptHandle
        let isOver = Flag()
        // Again and again: the first calls may come before the statement runs.
        Thread.detachNewThread { while !isOver.value.load(ordering: .relaxed) { handle.interrupt() } }
        let error = #expect(throws: SQLiteError.self) { try connection.integer(Self.endless) }
        isOver.value.store(true, ordering: .relaxed)
        #expect(error?.code == .interrupted)
        #expect(error?.granaryError.code == .interrupted)
    }

    @Test func outlivesTheConnection() throws {
        func make() throws -> InterruptHandle { try Connection.inMemory().interruptHandle }
        let handle = try make()
        handle.interrupt()
    }

    @Test func laterStatementsRun() throws {
        let connection = try Connection.inMemory()
        connection.interruptHandle.interrupt()
        #expect(try connection.integer("SELECT 1") == 1)
    }

    private final class Flag: Sendable { let value = Atomic(false) }
}
