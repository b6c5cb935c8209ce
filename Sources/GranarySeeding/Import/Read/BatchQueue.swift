import Foundation

/// Carries batches from the reading thread to the writing one, and empty ones back: at most a few are under way, so
/// memory does not grow where one side is slower.
final class BatchQueue: @unchecked Sendable {
    // Proof of `@unchecked`: everything below is touched only while the condition is locked.
    private let condition = NSCondition()
    private var full: [CheckedRows] = []
    private var empty: [CheckedRows] = []
    private var isFinished = false
    private var isStopped = false

    /// How many full batches wait at most.
    private static let capacity = 2

    /// Hands over a batch; gives an empty one back, or nil when the writer has stopped.
    func put(_ batch: CheckedRows) -> CheckedRows? {
        condition.withLock {
            while full.count >= Self.capacity, !isStopped { condition.wait() }
            guard !isStopped else { return nil }
            full.append(batch)
            condition.signal()
            return empty.popLast() ?? CheckedRows()
        }
    }

    enum Taken {
        case batch(CheckedRows)
        /// Nothing came for a tenth of a second: time to look whether somebody wants to stop.
        case nothingYet
        case end
    }

    /// The next batch.
    func take() -> Taken {
        condition.withLock {
            if full.isEmpty, !isFinished { _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1)) }
            guard !full.isEmpty else { return isFinished ? .end : .nothingYet }
            let batch = full.removeFirst()
            condition.signal()
            return .batch(batch)
        }
    }

    func giveBack(_ batch: CheckedRows) {
        condition.withLock { if empty.count < Self.capacity { empty.append(batch) } }
    }

    /// The reading side is done.
    func finish() {
        condition.withLock {
            isFinished = true
            condition.broadcast()
        }
    }

    /// The writing side takes no more.
    func stop() {
        condition.withLock {
            isStopped = true
            full.removeAll()
            condition.broadcast()
        }
    }
}
