import GranaryBase
import GranaryModel

/// The contents of an in-memory store. It is a value, so a transaction is rolled back by restoring a copy.
package struct InMemoryState: Sendable {
    /// The objects of one hierarchy of entities.
    package struct Hierarchy: Sendable {
        package init() {}

        package var rows: [Int64: InMemoryRow] = [:]
        /// The keys of `rows`, sorted.
        package private(set) var keys: [Int64] = []
        /// The last allocated key.
        package var lastKey: Int64 = 0

        mutating func insertKeys(_ new: [Int64]) {
            let isInOrder =
                zip(new, new.dropFirst()).allSatisfy { $0 < $1 } && (keys.last ?? .min) < (new.first ?? .max)
            keys.append(contentsOf: new)
            // Sorted runs are merged in one pass.
            if !isInOrder { keys.sort() }
            lastKey = max(lastKey, new.max() ?? lastKey)
        }

        mutating func removeKeys(_ removed: Set<Int64>) { keys.removeAll { removed.contains($0) } }

        /// The index of the first key above `key`.
        func place(after key: Int64) -> Int { keys.partitioningIndex { $0 > key } }
    }

    /// By the root entity's index.
    package var hierarchies: [Int: Hierarchy] = [:]
    /// The links of every to-many relationship by their owner's key, including those that mirror to-one references.
    package var links: [LinkLayout.ID: [Int64: LinkList]] = [:]
    /// The owners of the members of to-many relationships without an inverse.
    var owners: [LinkLayout.ID: [Int64: Int64]] = [:]
    /// The keys of objects by their unique values.
    var unique: [Schema.UniquenessConstraint: [[UniqueContent]: Int64]] = [:]
}
