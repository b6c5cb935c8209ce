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

        mutating func insertKeys(_ new: [Int64]) {
            let isInOrder =
                zip(new, new.dropFirst()).allSatisfy { $0 < $1 } && (keys.last ?? .min) < (new.first ?? .max)
            keys.append(contentsOf: new)
            // Sorted stretches, as here, are merged in one pass.
            if !isInOrder { keys.sort() }
            lastKey = max(lastKey, new.max() ?? lastKey)
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
