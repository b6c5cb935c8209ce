/// Counts values: exactly up to a number of different ones, with sketches above.
struct ValueCounts {
    /// A value and how often it was found.
    struct Entry {
        var text: String
        var count: Int
    }

    /// The number of values that a sketch keeps at least.
    private static let kept = 2_000

    private let limit: Int
    private var entries: [UInt64: Entry] = [:]
    /// Nil as long as the counts are exact.
    private var estimate: DistinctEstimate?
    /// What was subtracted from all counts of the sketch.
    private var subtracted = 0

    /// - Parameter limit: the number of different values that are counted exactly.
    init(limit: Int) { self.limit = max(1, limit) }

    var isExact: Bool { estimate == nil }

    var distinct: Int { estimate?.count ?? entries.count }

    /// - Parameters:
    ///   - hash: a ``ValueHash``.
    ///   - text: the text of the value; called if the value is new.
    mutating func add(_ hash: UInt64, _ text: () throws -> String) rethrows {
        estimate?.add(hash)
        if entries[hash]?.count != nil {
            entries[hash]?.count += 1
            return
        }
        if estimate == nil, entries.count >= limit { beginSketch(with: hash) }
        entries[hash] = Entry(text: try text(), count: 1)
        if estimate != nil, entries.count > 2 * Self.kept { shrink() }
    }

    private mutating func beginSketch(with hash: UInt64) {
        var estimate = DistinctEstimate()
        for known in entries.keys { estimate.add(known) }
        estimate.add(hash)
        self.estimate = estimate
        shrink()
    }

    /// Subtracts a count from all and drops those that are used up (Misra and Gries 1982). A value whose count is larger
    /// than everything that was subtracted is kept for certain.
    private mutating func shrink() {
        guard entries.count > Self.kept else { return }
        let counts = entries.values.map(\.count).sorted(by: >)
        let least = counts[Self.kept]
        subtracted += least
        entries = entries.compactMapValues { entry in
            entry.count > least ? Entry(text: entry.text, count: entry.count - least) : nil
        }
    }

    /// The most frequent values, most frequent first. If ``isExact`` is false, the counts are the least that is certain,
    /// and only values are listed that are certainly more frequent than all that was dropped.
    func mostFrequent(_ count: Int) -> [Entry] {
        let found = entries.values.filter { isExact || $0.count > subtracted }
        return Array(found.sorted { ($1.count, $0.text) < ($0.count, $1.text) }.prefix(count))
    }
}
