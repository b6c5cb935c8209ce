/// An index to be filled, with plain columns in binary order.
package struct LoadedIndex: Sendable {
    package struct Column: Sendable {
        /// The index of the column in the table.
        package let place: Int
        package let isDescending: Bool
    }

    package let name: String
    package let root: UInt32
    package let columns: [Column]
    package let isUnique: Bool
    /// The names of the columns in SQLite's errors: `TABLE.COLUMN`.
    package let columnNames: [String]
}
