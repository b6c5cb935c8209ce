/// The objects linked to one owner: first those that were put into an order, then the others by their keys.
struct LinkList: Sendable {
    struct Entry: Sendable, Hashable {
        let entity: Int32
        let key: Int64
    }

    private(set) var entries: [Entry] = []
    /// How many of them, from the front, have an order.
    private var orderedCount = 0

    init() {}

    /// - Parameter isOrdered: whether the order of `entries` counts.
    init(_ entries: [Entry], isOrdered: Bool) {
        var seen: Set<Int64> = []
        let unique = entries.filter { seen.insert($0.key).inserted }
        self.entries = isOrdered ? unique : unique.sorted { $0.key < $1.key }
        orderedCount = isOrdered ? unique.count : 0
    }

    func contains(_ key: Int64) -> Bool { index(of: key) != nil }

    /// Adds one without an order.
    mutating func insert(_ entry: Entry) {
        guard !contains(entry.key) else { return }
        entries.insert(entry, at: place(of: entry.key))
    }

    mutating func remove(_ key: Int64) {
        guard let index = index(of: key) else { return }
        entries.remove(at: index)
        if index < orderedCount { orderedCount -= 1 }
    }

    /// Puts those without an order behind the others, as they stand.
    mutating func completeOrder() { orderedCount = entries.count }

    private func index(of key: Int64) -> Int? {
        let place = place(of: key)
        if place < entries.count, entries[place].key == key { return place }
        return entries[..<orderedCount].firstIndex { $0.key == key }
    }

    /// Where a key belongs among those without an order.
    private func place(of key: Int64) -> Int {
        var (low, high) = (orderedCount, entries.count)
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
