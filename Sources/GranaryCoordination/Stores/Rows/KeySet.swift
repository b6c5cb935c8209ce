/// A set of primary keys: two bytes for each key, or an eighth of a byte for each number of a range that has most of
/// its keys.
package struct KeySet: Sendable {
    /// The keys by their upper 48 bits.
    private var chunks: [Int64: Chunk] = [:]
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// The largest key; nil for an empty set.
    package var largest: Int64? {
        guard let high = chunks.keys.max(), let low = chunks[high]?.lows.last else { return nil }
        return high << 16 | Int64(low)
    }

    package func contains(_ key: Int64) -> Bool {
        chunks[key >> 16]?.contains(UInt16(truncatingIfNeeded: key)) ?? false
    }

    /// Returns whether the key was added; false if the set has it already.
    @discardableResult
    package mutating func insert(_ key: Int64) -> Bool {
        guard chunks[key >> 16, default: Chunk()].insert(UInt16(truncatingIfNeeded: key)) else { return false }
        count += 1
        return true
    }

    /// Keys with the same upper bits: a sorted list while it is short, then a bit for each number.
    private struct Chunk {
        /// A longer list would be larger than the bits.
        private static let listLimit = 4096

        private var list: [UInt16] = []
        private var bits: [UInt64] = []

        var lows: [UInt16] {
            guard !bits.isEmpty else { return list }
            var lows: [UInt16] = []
            for (place, word) in bits.enumerated() {
                var rest = word
                while rest != 0 {
                    lows.append(UInt16(truncatingIfNeeded: place << 6 + rest.trailingZeroBitCount))
                    rest &= rest - 1
                }
            }
            return lows
        }

        func contains(_ low: UInt16) -> Bool {
            guard bits.isEmpty else { return bits[Int(low >> 6)] & Self.bit(low) != 0 }
            let place = place(of: low)
            return place < list.count && list[place] == low
        }

        mutating func insert(_ low: UInt16) -> Bool {
            guard !contains(low) else { return false }
            guard bits.isEmpty else {
                bits[Int(low >> 6)] |= Self.bit(low)
                return true
            }
            list.insert(low, at: place(of: low))
            guard list.count > Self.listLimit else { return true }
            bits = Array(repeating: 0, count: 1 << 10)
            for low in list { bits[Int(low >> 6)] |= Self.bit(low) }
            list = []
            return true
        }

        private static func bit(_ low: UInt16) -> UInt64 { 1 << UInt64(low & 63) }

        /// The place of the first element that is not smaller.
        private func place(of low: UInt16) -> Int {
            // Keys come mostly in ascending order.
            guard let last = list.last, last >= low else { return list.count }
            var (start, end) = (0, list.count)
            while start < end {
                let middle = (start + end) / 2
                if list[middle] < low { start = middle + 1 } else { end = middle }
            }
            return start
        }
    }
}

/// The keys in ascending order.
extension KeySet: Sequence {
    package struct Iterator: IteratorProtocol {
        private let set: KeySet
        private var highs: [Int64]
        private var high: Int64 = 0
        private var lows: [UInt16] = []
        private var place = 0

        fileprivate init(_ set: KeySet) {
            self.set = set
            highs = set.chunks.keys.sorted(by: >)
        }

        package mutating func next() -> Int64? {
            while place == lows.count {
                guard let next = highs.popLast() else { return nil }
                high = next
                lows = set.chunks[next]?.lows ?? []
                place = 0
            }
            defer { place += 1 }
            return high << 16 | Int64(lows[place])
        }
    }

    package func makeIterator() -> Iterator { Iterator(self) }

    package var underestimatedCount: Int { count }

    /// Calls `body` with the keys in ascending order, at most `size` at once.
    package func forEachBatch(of size: Int, _ body: ([Int64]) throws -> Void) rethrows {
        var batch: [Int64] = []
        for key in self {
            batch.append(key)
            guard batch.count >= size else { continue }
            try body(batch)
            batch.removeAll(keepingCapacity: true)
        }
        if !batch.isEmpty { try body(batch) }
    }
}
