/// The entries of an index: collected in any order, taken in order. What exceeds the memory is sorted in parts, which lie in a
/// temporary file until they are merged.
final class IndexSorter {
    /// An entry while it is sorted.
    private struct Key: BitwiseCopyable {
        let prefix: UInt64
        /// Where its record begins in ``records``, and how long it is.
        let start: UInt32
        let count: UInt32
    }

    private let descending: [Bool]
    private let folder: String
    /// The limit, in bytes, of the records in memory and their sort keys.
    private let limit: Int
    /// Records, each behind its length.
    @exclusivity(unchecked) private var records = Bytes(capacity: 1 << 12)
    @exclusivity(unchecked) private var count = 0
    /// How many records there are, those in the temporary file included.
    @exclusivity(unchecked) private(set) var total = 0
    @exclusivity(unchecked) private var builder = RecordBuilder()
    /// What the first values of all records have in common, where they are texts or blobs; nil as long as there is none.
    @exclusivity(unchecked) private var common: [UInt8]?
    private var spill: SortedRuns?

    init(descending: [Bool], folder: String, limit: Int) {
        self.descending = descending
        self.folder = folder
        // Places are counted in 32 bits.
        self.limit = min(limit, 1 << 30)
    }

    /// Adds a record of the values that `body` adds.
    func add(_ body: (inout RecordBuilder) -> Void) throws(LoadError) {
        body(&builder)
        // Sorting uses two keys for each record.
        if records.count + builder.size + 2 * MemoryLayout<Key>.stride * count > limit, count > 0 { try spillRecords() }
        let start = builder.end(in: &records)
        count &+= 1
        total &+= 1
        // Most have no more in common than the first ones.
        noteCommon(UnsafeBufferPointer(rebasing: records.all[start...]))
    }

    private func noteCommon(_ record: UnsafeBufferPointer<UInt8>) {
        var place = 0
        let header = Int(truncatingIfNeeded: IndexRecord.varint(record, &place))
        let value = IndexRecord.Value(type: IndexRecord.varint(record, &place), start: header)
        guard value.rank > 1 else { return }
        guard let known = common else {
            common = Array(record[value.start..<value.start + min(value.count, 64)])
            return
        }
        var same = 0
        while same < known.count, same < value.count, record[value.start &+ same] == known[same] { same &+= 1 }
        if same < known.count { common = Array(known[..<same]) }
    }

    /// Gives all records in order.
    ///
    /// - Parameter body: receives a record, and false if its first value certainly differs from that of the previous record.
    func forEach(_ body: (UnsafeBufferPointer<UInt8>, Bool) throws(LoadError) -> Void) throws(LoadError) {
        defer { records = Bytes(capacity: 16) }
        guard spill != nil else { return try sorted(body) }
        try spillRecords()
        records = Bytes(capacity: 16)
        try spill?.merge(descending, skipped: common?.count ?? 0, body)
        spill = nil
    }

    private func spillRecords() throws(LoadError) {
        if spill == nil { spill = try SortedRuns(folder: folder) }
        guard count > 0, let spill else { return }
        try spill.beginRun()
        try sorted { record, _ throws(LoadError) in try spill.append(record) }
        records.removeAll()
        count = 0
    }

    /// Sorts the records in memory: a radix sort by the first bytes of the first value, then a comparison of whole records where
    /// those bytes are equal.
    private func sorted(_ body: (UnsafeBufferPointer<UInt8>, Bool) throws(LoadError) -> Void) throws(LoadError) {
        let all = records.all
        var keys: [Key] = []
        keys.reserveCapacity(count)
        var place = 0
        let skipped = common?.count ?? 0
        let isReversed = descending.first ?? false
        var isExact = descending.count == 1
        while place < all.count {
            let length = Int(truncatingIfNeeded: IndexRecord.varint(all, &place))
            let record = UnsafeBufferPointer(rebasing: all[place..<place + length])
            let (prefix, exact) = IndexRecord.prefix(record, skipped: skipped)
            if !exact { isExact = false }
            keys.append(
                Key(
                    prefix: isReversed ? ~prefix : prefix, start: UInt32(truncatingIfNeeded: place),
                    count: UInt32(truncatingIfNeeded: length)))
            place += length
        }
        Self.sort(&keys)
        func record(_ key: Key) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: all[Int(key.start)..<Int(key.start) + Int(key.count)])
        }
        var first = 0
        while first < keys.count {
            var end = first + 1
            while end < keys.count, keys[end].prefix == keys[first].prefix { end += 1 }
            // Equal values stay in the order of their rowids, in which they came.
            if !isExact, end - first > 1 {
                keys[first..<end].sort { IndexRecord.compare(record($0), record($1), descending) < 0 }
            }
            for index in first..<end { try body(record(keys[index]), index > first) }
            first = end
        }
    }

    /// Radix sort, stable; bytes that are the same in all keys cost nothing.
    private static func sort(_ keys: inout [Key]) {
        guard keys.count > 1 else { return }
        var differing: UInt64 = 0
        for key in keys { differing |= key.prefix ^ keys[0].prefix }
        var other = keys
        for shift in stride(from: UInt64(0), to: 64, by: 8) where differing >> shift & 0xFF != 0 {
            var places = [Int](repeating: 0, count: 256)
            for key in keys { places[Int(key.prefix >> shift & 0xFF)] &+= 1 }
            var sum = 0
            for value in places.indices {
                let count = places[value]
                places[value] = sum
                sum &+= count
            }
            keys.withUnsafeBufferPointer { from in
                other.withUnsafeMutableBufferPointer { to in
                    for key in from {
                        let value = Int(key.prefix >> shift & 0xFF)
                        to[places[value]] = key
                        places[value] &+= 1
                    }
                }
            }
            swap(&keys, &other)
        }
    }
}
