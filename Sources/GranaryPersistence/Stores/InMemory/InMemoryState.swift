import GranaryModel

/// All that an in-memory store holds: a value, so that a transaction's way back is a copy.
struct InMemoryState: Sendable {
    /// The objects of one hierarchy of entities.
    struct Hierarchy: Sendable {
        var rows: [Int64: InMemoryRow] = [:]
        /// The keys of `rows`, sorted.
        private(set) var keys: [Int64] = []
        /// The last key that was given out.
        var lastKey: Int64 = 0

        mutating func insertKey(_ key: Int64) {
            if let last = keys.last, last > key {
                keys.insert(key, at: place(of: key))
            } else {
                keys.append(key)
            }
            lastKey = max(lastKey, key)
        }

        mutating func removeKeys(_ removed: Set<Int64>) { keys.removeAll { removed.contains($0) } }

        /// Where the keys above `key` begin.
        func place(after key: Int64) -> Int { key == .max ? keys.count : place(of: key + 1) }

        private func place(of key: Int64) -> Int {
            var (low, high) = (0, keys.count)
            while low < high {
                let middle = low + (high - low) / 2
                if keys[middle] < key { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// By the root entity's index.
    var hierarchies: [Int: Hierarchy] = [:]
    /// The links of every to-many relationship by their owner's key: those that mirror to-one references, too.
    var links: [LinkLayout.ID: [Int64: LinkList]] = [:]
    /// Who holds the members of a to-many relationship without an inverse.
    var owners: [LinkLayout.ID: [Int64: Int64]] = [:]
    /// The objects by their unique values.
    var unique: [Schema.UniquenessConstraint: [[UniqueContent]: Int64]] = [:]
}
