import GranaryBase

/// The objects linked to one owner: first the ordered ones, then the others by their keys.
package struct LinkList: Sendable {
    package struct Entry: Sendable, Hashable {
        let entity: Int32
        package let key: Int64
    }

    package private(set) var entries: [Entry] = []
    /// The number of ordered entries at the front.
    private var orderedCount = 0

    init() {}

    /// - Parameter isOrdered: whether `entries` is in order.
    init(_ entries: [Entry], isOrdered: Bool) {
        var seen: Set<Int64> = []
        let unique = entries.filter { seen.insert($0.key).inserted }
        self.entries = isOrdered ? unique : unique.sorted { $0.key < $1.key }
        orderedCount = isOrdered ? unique.count : 0
    }

    func contains(_ key: Int64) -> Bool { index(of: key) != nil }

    /// Adds an entry without an order.
    mutating func insert(_ entry: Entry) {
        guard !contains(entry.key) else { return }
        entries.insert(entry, at: place(of: entry.key))
    }

    mutating func remove(_ key: Int64) {
        guard let index = index(of: key) else { return }
        entries.remove(at: index)
        if index < orderedCount { orderedCount -= 1 }
    }

    /// Appends the unordered entries to the ordered ones.
    mutating func completeOrder() { orderedCount = entries.count }

    private func index(of key: Int64) -> Int? {
        let place = place(of: key)
        if place < entries.count, entries[place].key == key { return place }
        return entries[..<orderedCount].firstIndex { $0.key == key }
    }

    /// The place of a key among the unordered entries.
    private func place(of key: Int64) -> Int {
        entries[orderedCount...].partitioningIndex { $0.key >= key }
    }
}
