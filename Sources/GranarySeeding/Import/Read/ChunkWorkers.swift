import Foundation

/// Threads that create rows from chunks. The reading thread processes a chunk itself if no thread has started it.
///
/// Chunks are settled in the order of the source, whatever order the threads finish in. The number of chunks is limited
/// to ``capacity``, so memory does not grow with the source.
///
/// `@unchecked Sendable` is safe: all variables are accessed only while `condition` is locked.
final class ChunkWorkers: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [ChunkWork] = []
    private var threads = 0
    private var isStopped = false

    private let limit: Int

    /// - Parameter limit: the number of threads in addition to the reading one; nil for one per remaining core, at most
    ///   7.
    init(limit: Int?) { self.limit = max(0, limit ?? min(7, ProcessInfo.processInfo.activeProcessorCount - 1)) }

    /// The maximum number of unfinished chunks.
    var capacity: Int { limit == 0 ? 1 : limit + 2 }

    func submit(_ work: ChunkWork) {
        condition.withLock {
            waiting.append(work)
            // A small source has one chunk and needs no thread.
            if waiting.count > 1, threads < limit { startThread() }
            condition.broadcast()
        }
    }

    /// Waits until the chunk is done. Meanwhile it runs chunks that no thread has started, this one first.
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

    /// Ends the threads. Chunks that are not finished are dropped.
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
