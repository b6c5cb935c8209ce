internal import CSQLite
internal import Synchronization

/// Interrupts the running statements of a connection, from any thread.
///
/// It may outlive the connection. It takes a lock, so it must not be called in a signal handler; use a dispatch source
/// or a waiting thread.
package final class InterruptHandle: Sendable {
    /// `@unchecked Sendable` is safe: the pointer is passed only to `sqlite3_interrupt`, which any thread may call
    /// while the database is open, and the lock keeps it open.
    private struct Database: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let database: Mutex<Database?>

    init(_ pointer: OpaquePointer) { database = Mutex(Database(pointer: pointer)) }

    /// Interrupts the statements that are running now; they throw ``ResultCode/interrupted``.
    ///
    /// Statements started later are not affected. A loop of short statements must also check a flag.
    package func interrupt() {
        database.withLock { database in
            if let database { sqlite3_interrupt(database.pointer) }
        }
    }

    func connect(_ pointer: OpaquePointer) {
        let new = Database(pointer: pointer)
        database.withLock { $0 = new }
    }

    func disconnect() { database.withLock { $0 = nil } }
}
