import Foundation

/// A bounded queue of sorted index entries between a sorting thread and the thread that builds pages.
///
/// It transfers the entries of several indexes in sequence, at most four blocks at a time.
///
/// `@unchecked Sendable` is safe: the variable properties are used only while the condition is locked, and only the
/// thread that has removed a block from them uses the block.
final class SortedEntries: @unchecked Sendable {
    private let condition = NSCondition()
    private var full: [Block] = []
    private var empty: [Block] = []
    private var isStopped = false

    /// A sequence of entries, each after a varint with its size and, in the lowest bit, the flag of
    /// ``IndexSorter/forEach(_:)``.
    final class Block {
        @exclusivity(unchecked) var bytes = Bytes(capacity: SortedEntries.blockBytes + 4096)
        /// Whether it is the last block of an index.
        var isLast = false
        var failure: LoadError?
    }

    private static let blockBytes = 1 << 16
    private static let capacity = 4

    // MARK: The sorting side

    /// Puts the entries of `count` indexes in the queue.
    ///
    /// - Parameter forEach: calls its second argument for each entry of the index with this number, as
    ///   ``IndexSorter/forEach(_:)``.
    func run(
        _ count: Int,
        _ forEach: (Int, (UnsafeBufferPointer<UInt8>, Bool) throws(LoadError) -> Void) throws(LoadError) -> Void
    ) {
        for index in 0..<count {
            guard var block = emptyBlock() else { return }
            var isStopped = false
            do throws(LoadError) {
                try forEach(index) { entry, mayRepeat throws(LoadError) in
                    if block.bytes.count >= Self.blockBytes {
                        put(block)
                        guard let next = emptyBlock() else {
                            isStopped = true
                            // Ends `forEach`. The error is not reported.
                            throw LoadError(path: "", "stopped")
                        }
                        block = next
                    }
                    block.bytes.appendVarint(UInt64(entry.count) << 1 | (mayRepeat ? 1 : 0))
                    block.bytes.append(entry)
                }
            } catch {
                if isStopped { return }
                block.failure = error
            }
            block.isLast = true
            put(block)
        }
    }

    private func put(_ block: Block) {
        condition.withLock {
            full.append(block)
            condition.broadcast()
        }
    }

    /// Returns an empty block, after waiting for room in the queue; nil after ``stop()``.
    private func emptyBlock() -> Block? {
        condition.withLock {
            while full.count >= Self.capacity, !isStopped { condition.wait() }
            guard !isStopped else { return nil }
            return empty.popLast() ?? Block()
        }
    }

    // MARK: The building side

    /// Calls `body` for each entry of the next index.
    func forEach(_ body: (UnsafeBufferPointer<UInt8>, Bool) throws(LoadError) -> Void) throws(LoadError) {
        while true {
            let block = next()
            let bytes = block.bytes.all
            var place = 0
            while place < bytes.count {
                let head = IndexRecord.varint(bytes, &place)
                let end = place + Int(truncatingIfNeeded: head >> 1)
                try body(UnsafeBufferPointer(rebasing: bytes[place..<end]), head & 1 != 0)
                place = end
            }
            if let failure = block.failure { throw failure }
            let isLast = block.isLast
            block.isLast = false
            block.bytes.removeAll()
            condition.withLock { empty.append(block) }
            if isLast { return }
        }
    }

    private func next() -> Block {
        condition.withLock {
            while full.isEmpty { condition.wait() }
            let block = full.removeFirst()
            condition.broadcast()
            return block
        }
    }

    /// Ends the sorting side.
    func stop() {
        condition.withLock {
            isStopped = true
            full.removeAll()
            condition.broadcast()
        }
    }
}
