import Foundation

/// Threads that run pieces of work, such as chunks of a source or batches of rows. The submitting thread runs a piece
/// itself if no thread has started it.
///
/// The submitting thread uses the results in the order of the pieces, whatever order the threads finish in. The number
/// of pieces is limited to ``capacity``, so memory does not grow with their number.
///
/// `@unchecked Sendable` is safe: all variables are accessed only while `condition` is locked.
package final class OrderedWorkers<Work: OrderedWork>: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [Work] = []
    private var threads = 0
    private var isStopped = false

    private let limit: Int

    /// - Parameter limit: the number of threads in addition to the submitting one; nil for one thread for each other
    ///   core, at most 7.
    package init(limit: Int?) { self.limit = max(0, limit ?? min(7, ProcessInfo.processInfo.activeProcessorCount - 1)) }

    /// The maximum number of unfinished pieces.
    package var capacity: Int { limit == 0 ? 1 : limit + 2 }

    package func submit(_ work: Work) {
        condition.withLock {
            waiting.append(work)
            // A single piece needs no thread.
            if waiting.count > 1, threads < limit { startThread() }
            condition.broadcast()
        }
    }

    /// Waits until the work is done. Meanwhile it runs pieces that no thread has started, this one first.
    package func finish(_ work: Work) {
        while true {
            let next: Work? = condition.withLock {
                while true {
                    if take(work) { return work }
                    if work.isDone { return nil }
                    if !waiting.isEmpty { return waiting.removeFirst() }
                    condition.wait()
                }
            }
            guard let next else { return }
            next.run()
            condition.withLock { next.isDone = true }
            if next === work { return }
        }
    }

    /// Ends the threads. Pieces that are not finished are dropped.
    package func stop() {
        condition.withLock {
            isStopped = true
            waiting.removeAll()
            condition.broadcast()
        }
    }

    private func take(_ work: Work) -> Bool {
        guard let index = waiting.firstIndex(where: { $0 === work }) else { return false }
        waiting.remove(at: index)
        return true
    }

    private func startThread() {
        threads += 1
        let thread = Thread { [self] in
            while let work = next() {
                work.run()
                condition.withLock {
                    work.isDone = true
                    condition.broadcast()
                }
            }
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    private func next() -> Work? {
        condition.withLock {
            while waiting.isEmpty, !isStopped { condition.wait() }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }
}
