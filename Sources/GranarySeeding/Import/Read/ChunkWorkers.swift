import Foundation

/// Threads that make rows of chunks. The reading thread helps when the chunk that it needs is not begun.
///
/// Chunks are settled in the order of the source, whichever thread is done first. At most ``capacity`` are under way, so memory
/// does not grow with the source.
final class ChunkWorkers: @unchecked Sendable {
    // Proof of `@unchecked`: everything below is touched only while the condition is locked.
    private let condition = NSCondition()
    private var waiting: [ChunkWork] = []
    private var threads = 0
    private var isStopped = false

    private let limit: Int

    /// - Parameter limit: the number of threads beside the reading one; nil: one for each other core, 7 at most.
    init(limit: Int?) { self.limit = max(0, limit ?? min(7, ProcessInfo.processInfo.activeProcessorCount - 1)) }

    /// How many chunks are under way at most.
    var capacity: Int { limit == 0 ? 1 : limit + 2 }

    func submit(_ work: ChunkWork) {
        condition.withLock {
            waiting.append(work)
            // A small source has one chunk, and needs no thread.
            if waiting.count > 1, threads < limit { startThread() }
            condition.broadcast()
        }
    }

    /// Waits until the chunk is done. While it waits, it runs chunks that no thread has started, beginning with this one.
    func finish(_ work: ChunkWork) {
        while true {
            let next: ChunkWork? = condition.withLock {
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

    /// Ends the threads. No chunk may be under way that is still needed.
    func stop() {
        condition.withLock {
            isStopped = true
            waiting.removeAll()
            condition.broadcast()
        }
    }

    private func take(_ work: ChunkWork) -> Bool {
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

    private func next() -> ChunkWork? {
        condition.withLock {
            while waiting.isEmpty, !isStopped { condition.wait() }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }
}
