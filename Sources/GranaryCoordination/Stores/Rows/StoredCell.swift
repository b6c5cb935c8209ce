import GranaryBase

/// One value in the form of a store's column: checked, typed, with the column's affinity applied.
///
/// Text and bytes are in the buffer of the cell's ``RowBatch``.
package enum StoredCell: Sendable, Hashable, BitwiseCopyable {
    case null
    /// Integers, Booleans, whole-second dates, whole decimals.
    case integer(Int64)
    case real(Double)
    case text(start: UInt32, count: UInt32)
    case blob(start: UInt32, count: UInt32)
    /// External data in a file that has not been read. The span holds the file's path.
    case file(start: UInt32, count: UInt32)
    /// The digits of a Decimal that a double would round. Stores that keep doubles refuse it.
    case decimal(start: UInt32, count: UInt32)
    /// The destination of a to-one relationship: its key and the index of its entity. In this order a cell takes 16
    /// bytes.
    case reference(key: Int64, entity: Int32)
}
