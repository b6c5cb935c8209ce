package import GranaryModel

/// Objects that are written inside the rows of another table, as values of a relationship.
package final class NestedTable: Sendable {
    /// The columns of the objects. The search is not used.
    package let table: RecordTable
    /// The to-one inverse of the relationship. The objects have no column for it, because the object around them tells
    /// it. Nil if there is none.
    let inverse: Schema.Relationship?

    package init(_ table: RecordTable, inverse: Schema.Relationship?) {
        self.table = table
        self.inverse = inverse
    }
}

/// Primary keys of one hierarchy, as bits: an eighth of a byte for each key if all keys of a range are in the set.
struct PrimaryKeySet {
    private static let words = 64
    private var pages: [Int64: [UInt64]] = [:]

    private static func place(_ key: Int64) -> (page: Int64, word: Int, bit: UInt64) {
        (key >> 12, Int(key >> 6 & 63), 1 << UInt64(key & 63))
    }

    func contains(_ key: Int64) -> Bool {
        let (page, word, bit) = Self.place(key)
        return (pages[page]?[word] ?? 0) & bit != 0
    }

    /// Returns false if the set contains the key already.
    mutating func insert(_ key: Int64) -> Bool {
        guard !contains(key) else { return false }
        let (page, word, bit) = Self.place(key)
        pages[page, default: Array(repeating: 0, count: Self.words)][word] |= bit
        return true
    }
}
