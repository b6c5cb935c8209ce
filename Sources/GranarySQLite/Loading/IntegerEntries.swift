/// Entries of an index of one or two columns whose values are integers, as in the columns of relationships. The value
/// of a single column can also be NULL.
///
/// An entry takes 16 bytes with one column and 24 with two. Entries of consecutive rows with NULL take 16 together.
struct IntegerEntries {
    private struct Single: BitwiseCopyable {
        /// Sorts as the value.
        let key: UInt64
        let rowID: Int64
    }

    private struct Pair: BitwiseCopyable {
        let first: UInt64
        let second: UInt64
        let rowID: Int64
    }

    /// The values of an entry; `second` is nil for an index of one column.
    struct Values: Equatable {
        var first: Int64?
        var second: Int64?
    }

    private let descending: [Bool]
    /// The rowids of the entries with NULL.
    private var nulls: [ClosedRange<Int64>] = []
    private var nullCount = 0
    private var singles: [Single] = []
    private var pairs: [Pair] = []

    /// Returns nil for an index of more columns.
    init?(descending: [Bool]) {
        guard descending.count == 1 || descending.count == 2 else { return nil }
        self.descending = descending
    }

    var count: Int { nullCount &+ singles.count &+ pairs.count }

    /// The size in memory while the entries are sorted.
    var byteCount: Int {
        16 &* nulls.count &+ 2 &* MemoryLayout<Single>.stride &* singles.count
            &+ 2 &* MemoryLayout<Pair>.stride &* pairs.count
    }

    /// Adds the entry of a row with one value. The rowids must ascend.
    @inline(__always)
    mutating func add(_ value: Int64?, rowID: Int64) {
        guard let value else { return addNull(rowID) }
        singles.append(Single(key: Self.key(value, descending[0]), rowID: rowID))
    }

    private mutating func addNull(_ rowID: Int64) {
        nullCount &+= 1
        if let last = nulls.last, last.upperBound == rowID &- 1 {
            nulls[nulls.count - 1] = last.lowerBound...rowID
        } else {
            nulls.append(rowID...rowID)
        }
    }

    /// Adds the entry of a row with two values. The rowids must ascend.
    @inline(__always)
    mutating func add(_ first: Int64, _ second: Int64, rowID: Int64) {
        pairs.append(
            Pair(first: Self.key(first, descending[0]), second: Self.key(second, descending[1]), rowID: rowID))
    }

    private static func key(_ value: Int64, _ isDescending: Bool) -> UInt64 {
        let ordered = UInt64(bitPattern: value) ^ 1 << 63
        return isDescending ? ~ordered : ordered
    }

    private static func value(_ key: UInt64, _ isDescending: Bool) -> Int64 {
        Int64(bitPattern: (isDescending ? ~key : key) ^ 1 << 63)
    }

    private func values(_ entry: Single) -> Values { Values(first: Self.value(entry.key, descending[0])) }

    private func values(_ entry: Pair) -> Values {
        Values(first: Self.value(entry.first, descending[0]), second: Self.value(entry.second, descending[1]))
    }

    /// Calls `body` for each entry in the order of the rows.
    func forEachRow(_ body: (_ values: Values, _ rowID: Int64) -> Void) {
        for entry in pairs { body(values(entry), entry.rowID) }
        var rest = nulls[...]
        for entry in singles {
            while let range = rest.first, range.lowerBound < entry.rowID {
                rest.removeFirst()
                for rowID in range { body(Values(), rowID) }
            }
            body(values(entry), entry.rowID)
        }
        for range in rest { for rowID in range { body(Values(), rowID) } }
    }

    /// Calls `body` for each entry in the order of the index: NULL is less than all integers, and equal values are in
    /// the order of their rowids. Call ``removeAll()`` afterwards.
    ///
    /// - Parameter body: receives an entry, and whether the entry before it has the same values.
    mutating func forEachSorted(
        _ body: (_ values: Values, _ rowID: Int64, _ repeats: Bool) throws(LoadError) -> Void
    ) throws(LoadError) {
        if descending.count == 2 {
            RadixSort.sort(&pairs) { $0.second }
            RadixSort.sort(&pairs) { $0.first }
            var last: Pair?
            for entry in pairs {
                let repeats = last.map { $0.first == entry.first && $0.second == entry.second } ?? false
                try body(values(entry), entry.rowID, repeats)
                last = entry
            }
            return
        }
        RadixSort.sort(&singles) { $0.key }
        if !descending[0] { try forEachNull(body) }
        var last: UInt64?
        for entry in singles {
            try body(values(entry), entry.rowID, entry.key == last)
            last = entry.key
        }
        if descending[0] { try forEachNull(body) }
    }

    private func forEachNull(
        _ body: (_ values: Values, _ rowID: Int64, _ repeats: Bool) throws(LoadError) -> Void
    ) throws(LoadError) {
        for range in nulls { for rowID in range { try body(Values(), rowID, false) } }
    }

    mutating func removeAll() {
        nulls.removeAll(keepingCapacity: true)
        nullCount = 0
        singles.removeAll(keepingCapacity: true)
        pairs.removeAll(keepingCapacity: true)
    }
}
