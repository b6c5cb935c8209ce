import GranaryBase

/// The order of keys in which a statement reads a whole table. Damage can repeat or skip rows.
package struct KeyOrder {
    private var last: Int64?

    /// - Parameter key: the key that all others must be above; nil if there is none.
    package init(after key: Int64? = nil) { last = key }

    /// - Returns: the key before if the next one is not above it; otherwise nil.
    package mutating func add(_ key: Int64) -> Int64? {
        defer { last = key }
        return last.flatMap { key > $0 ? nil : $0 }
    }
}
