import Foundation

/// Passes batches from the reading thread to the writing thread, and empty batches back. The number of batches is
/// limited, so memory does not grow if one thread is slower.
///
/// `@unchecked Sendable` is safe: all variables are accessed only while `condition` is locked.
final class BatchQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private var full: [ParsedRows] = []
    private var empty: [ParsedRows] = []
    private var isFinished = false
    private var isStopped = false

    /// The maximum number of full batches.
    private static let capacity = 2

    /// Adds a full batch. Returns an empty one, or nil if the writing thread has stopped.
    func put(_ batch: ParsedRows) -> ParsedRows? {
        condition.withLock {
            while full.count >= Self.capacity, !isStopped { condition.wait() }
            guard !isStopped else { return nil }
            full.append(batch)
            condition.signal()
            return empty.popLast() ?? ParsedRows()
        }
    }

    enum Taken {
        case batch(ParsedRows)
        /// No batch came for 0.1 s, so that the caller can check for cancellation.
        case nothingYet
        case end
    }

    /// Waits for the next batch.
    func take() -> Taken {
        condition.withLock {
            if full.isEmpty, !isFinished { _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1)) }
            guard !full.isEmpty else { return isFinished ? .end : .nothingYet }
            let batch = full.removeFirst()
            condition.signal()
            return .batch(batch)
        }
    }

    func giveBack(_ batch: ParsedRows) {
        condition.withLock { if empty.count < Self.capacity { empty.append(batch) } }
    }

    /// Notes that the reading thread adds no more batches.
    func finish() {
        condition.withLock {
            isFinished = true
            condition.broadcast()
        }
    }

    /// Notes that the writing thread takes no more batches.
    func stop() {
        condition.withLock {
            isStopped = true
            full.removeAll()
            condition.broadcast()
        }
    }
}
