internal import CSQLite
internal import Synchronization

/// Stops what a connection is doing, from any thread.
///
/// It outlives the connection without harm. It takes a lock, so a signal is caught with a dispatch source or a
/// waiting thread, not in a signal handler.
package final class InterruptHandle: Sendable {
    /// Unchecked: the pointer goes to `sqlite3_interrupt` only, which any thread may call while the database is
    /// open, and the lock keeps it open.
    private struct Database: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let database: Mutex<Database?>

    init(_ pointer: OpaquePointer) { database = Mutex(Database(pointer: pointer)) }

    /// Makes the statements that are running now throw ``ResultCode/interrupted``.
    ///
    /// A statement started later is not touched: a loop of short statements asks a flag of its own as well.
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
