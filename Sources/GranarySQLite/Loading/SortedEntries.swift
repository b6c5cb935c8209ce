import Foundation

/// The entries of indexes in order, from a thread that sorts them to the one that builds pages of them.
///
/// The indexes follow one another. A few blocks of entries are under way at most, so memory does not grow with an index.
final class SortedEntries: @unchecked Sendable {
    // Proof of `@unchecked`: everything below is touched only while the condition is locked; the block at hand of either side is only
    // its own.
    private let condition = NSCondition()
    private var full: [Block] = []
    private var empty: [Block] = []
    private var isStopped = false

    /// Entries, each behind its length and whether its first value may be that of the entry before.
    final class Block {
        @exclusivity(unchecked) var bytes = Bytes(capacity: SortedEntries.blockBytes + 4096)
        /// Whether the index ends with it.
        var isLast = false
        var failure: LoadError?
    }

    private static let blockBytes = 1 << 16
    private static let capacity = 4

    // MARK: The sorting side

    /// Hands over the entries of each index.
    ///
    /// - Parameter forEach: gives the entries of the index with this number, as ``IndexSorter/forEach(_:)`` does.
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
                            // Ends the sorting; nobody reads it.
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

    /// An empty block; nil if the other side has stopped.
    private func emptyBlock() -> Block? {
        condition.withLock {
            while full.count >= Self.capacity, !isStopped { condition.wait() }
            guard !isStopped else { return nil }
            return empty.popLast() ?? Block()
        }
    }

    // MARK: The building side

    /// Gives the entries of the next index.
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

    /// Ends the sorting.
    func stop() {
        condition.withLock {
            isStopped = true
            full.removeAll()
            condition.broadcast()
        }
    }
}
