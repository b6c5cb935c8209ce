import GranaryBase

/// One value as a store's column keeps it: checked, typed, column affinity applied.
///
/// Text and bytes lie in the buffer of the ``RowBatch`` that the cell belongs to.
package enum StoredCell: Sendable, Hashable, BitwiseCopyable {
    case null
    /// Integers, Booleans, whole-second dates, whole decimals.
    case integer(Int64)
    case real(Double)
    case text(start: UInt32, count: UInt32)
    case blob(start: UInt32, count: UInt32)
    /// External data in a file that was not read yet. The span holds the file's path.
    case file(start: UInt32, count: UInt32)
    /// The digits of a Decimal that a double would round. Stores that keep doubles refuse it.
    case decimal(start: UInt32, count: UInt32)
    /// The object at the end of a to-one relationship: its key, and its entity as an index. In this order a cell has 16 bytes.
    case reference(key: Int64, entity: Int32)
}
