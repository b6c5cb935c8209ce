/// Sorts the entries of an index. Entries that exceed the memory limit are sorted in parts, which are written to a
/// temporary file and merged.
final class IndexSorter {
    /// The sort key of an entry.
    private struct Key: BitwiseCopyable {
        let prefix: UInt64
        /// The offset of the record in ``records``, and its size.
        let start: UInt32
        let count: UInt32
    }

    private let descending: [Bool]
    private let folder: String
    /// The maximum size of the records in memory and their sort keys, in bytes.
    private let limit: Int
    /// The entries while all are of its kind; nil after another entry. Then ``records`` has the entries.
    @exclusivity(unchecked) private var integers: IntegerEntries?
    /// The records, each after its size.
    @exclusivity(unchecked) private var records = Bytes(capacity: 1 << 12)
    /// The number of entries in memory.
    @exclusivity(unchecked) private var count = 0
    /// The number of records, including those in the temporary file.
    @exclusivity(unchecked) private(set) var total = 0
    @exclusivity(unchecked) private var builder = RecordBuilder()
    /// The common prefix of the first values of all records that are texts or blobs; nil if there are none.
    @exclusivity(unchecked) private var common: [UInt8]?
    private var spill: SortedRuns?

    init(descending: [Bool], folder: String, limit: Int) {
        self.descending = descending
        self.folder = folder
        // Offsets are 32-bit numbers.
        self.limit = min(limit, 1 << 30)
        integers = IntegerEntries(descending: descending)
    }

    /// Adds the entry of a row.
    ///
    /// - Parameter columns: for each column of the index, the place of its value in `values`.
    func add(
        _ row: UnsafeBufferPointer<UInt8>, _ values: [IndexRecord.Value], columns: [Int], rowID: Int64
    ) throws(LoadError) {
        if integers != nil {
            if integers?.byteCount ?? 0 >= limit { try spillRecords() }
            if addIntegers(row, values, columns: columns, rowID: rowID) {
                count &+= 1
                total &+= 1
                return
            }
            try listRecords()
        }
        try add { record in
            for column in columns {
                let value = values[column]
                record.add(
                    type: value.type, UnsafeBufferPointer(rebasing: row[value.start..<value.start + value.count]))
            }
            record.add(rowID)
        }
    }

    /// Adds an entry to ``integers``; false if it is not of their kind.
    @inline(__always)
    private func addIntegers(
        _ row: UnsafeBufferPointer<UInt8>, _ values: [IndexRecord.Value], columns: [Int], rowID: Int64
    ) -> Bool {
        let first = values[columns[0]]
        guard columns.count == 2 else {
            guard first.isInteger || first.isNull else { return false }
            integers?.add(first.isNull ? nil : IndexRecord.integer(row, first), rowID: rowID)
            return true
        }
        let second = values[columns[1]]
        guard first.isInteger, second.isInteger else { return false }
        integers?.add(IndexRecord.integer(row, first), IndexRecord.integer(row, second), rowID: rowID)
        return true
    }

    /// Keeps the entries as records from now on.
    private func listRecords() throws(LoadError) {
        guard let known = integers else { return }
        integers = nil
        count = 0
        total -= known.count
        var failure: LoadError?
        known.forEachRow { values, rowID in
            guard failure == nil else { return }
            do throws(LoadError) { try add { self.fill(&$0, values, rowID) } } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func fill(_ record: inout RecordBuilder, _ values: IntegerEntries.Values, _ rowID: Int64) {
        if let first = values.first { record.add(first) } else { record.addNull() }
        if let second = values.second { record.add(second) }
        record.add(rowID)
    }

    /// Adds a record with the values that `body` adds.
    private func add(_ body: (inout RecordBuilder) -> Void) throws(LoadError) {
        body(&builder)
        // Sorting needs two keys for each record.
        if records.count + builder.size + 2 * MemoryLayout<Key>.stride * count > limit, count > 0 { try spillRecords() }
        let start = builder.end(in: &records)
        count &+= 1
        total &+= 1
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

    /// Calls `body` for each record in order.
    ///
    /// - Parameter body: receives a record, and false if its indexed values are NULL or not those of the previous record.
    func forEach(_ body: (UnsafeBufferPointer<UInt8>, Bool) throws(LoadError) -> Void) throws(LoadError) {
        defer {
            records = Bytes(capacity: 16)
            integers = nil
        }
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
        integers?.removeAll()
        count = 0
    }

    /// Sorts the entries in memory.
    private func sorted(_ body: (UnsafeBufferPointer<UInt8>, Bool) throws(LoadError) -> Void) throws(LoadError) {
        guard integers != nil else { return try sortedRecords(body) }
        var record = Bytes(capacity: 64)
        var builder = RecordBuilder()
        try integers?.forEachSorted { values, rowID, repeats throws(LoadError) in
            record.removeAll()
            fill(&builder, values, rowID)
            builder.appendRecord(to: &record)
            try body(record.all, repeats)
        }
    }

    /// Sorts the records in memory: a radix sort by key, then a comparison of the records with equal keys.
    private func sortedRecords(
        _ body: (UnsafeBufferPointer<UInt8>, Bool) throws(LoadError) -> Void
    ) throws(LoadError) {
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
        RadixSort.sort(&keys) { $0.prefix }
        func record(_ key: Key) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: all[Int(key.start)..<Int(key.start) + Int(key.count)])
        }
        var first = 0
        while first < keys.count {
            var end = first + 1
            while end < keys.count, keys[end].prefix == keys[first].prefix { end += 1 }
            // The radix sort is stable, so records with equal values keep the order of their rowids.
            if !isExact, end - first > 1 {
                keys[first..<end].sort { IndexRecord.compare(record($0), record($1), descending) < 0 }
            }
            for index in first..<end { try body(record(keys[index]), index > first) }
            first = end
        }
    }
}
