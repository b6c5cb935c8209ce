internal import GranaryCSQLite
internal import Foundation
internal import GranaryBase

/// Statements end with the ``Cancellation`` of their thread, while they run and while they wait for a lock.
extension Connection {
    /// The number of virtual machine instructions between two checks of the cancellation: less than a millisecond.
    private static let instructionsBetweenChecks: Int32 = 10_000

    /// Makes statements end with ``ResultCode/interrupted`` when the work of their thread is cancelled. COMMIT and
    /// ROLLBACK need too few instructions to be affected.
    static func endWithCancellation(_ database: OpaquePointer) {
        sqlite3_progress_handler(
            database, instructionsBetweenChecks, { _ in Cancellation.current?.isCancelled == true ? 1 : 0 }, nil)
    }

    /// Makes statements wait for the locks of other connections, as `sqlite3_busy_timeout` does, but not after a
    /// cancellation.
    ///
    /// - Parameter timeout: in milliseconds.
    static func wait(_ database: OpaquePointer, upTo timeout: Int32) -> Int32 {
        // The time is passed as the pointer. Without a pointer, nothing waits.
        sqlite3_busy_handler(
            database,
            { timeout, attempts in
                let timeout = timeout.map { Int(bitPattern: $0) } ?? 0
                let delay = attempts < delays.count ? delays[Int(attempts)] : lastDelay
                let late = max(0, Int(attempts) - delays.count)
                let before = delays.prefix(Int(attempts)).reduce(0, +) + late * lastDelay
                guard before < timeout, Cancellation.current?.isCancelled != true else { return 0 }
                usleep(UInt32(clamping: min(delay, timeout - before) * 1000))
                return 1
            }, UnsafeMutableRawPointer(bitPattern: Int(timeout)))
    }
}

/// The milliseconds between the first attempts to get a lock, and between the later ones.
private let delays = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50]
private let lastDelay = 100
