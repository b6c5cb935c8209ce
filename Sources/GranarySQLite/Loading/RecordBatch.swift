/// Rows of one table as records: "Record Format", https://www.sqlite.org/fileformat2.html#record_format.
///
/// Add the values of a row in the order of the table's columns, then end the row. A rowid alias (`INTEGER PRIMARY KEY`)
/// is NULL in the record. Values are encoded as SQLite encodes them in columns of the given affinity:
///
/// ```swift
/// var rows = RecordBatch()
/// rows.addNull()
/// rows.add(42)
/// rows.add(12.5, affinity: .real)
/// rows.endRow(rowID: 1)
/// try table.append(rows)
/// ```
package struct RecordBatch: ~Copyable {
    /// The conversion of numbers in a column: "Type Affinity", https://www.sqlite.org/datatype3.html#type_affinity.
    package enum Affinity: Sendable {
        /// INTEGER and NUMERIC: whole numbers are stored as integers.
        case numeric
        /// REAL: whole numbers are stored as integers if that is shorter.
        case real
        /// BLOB: numbers are not converted.
        case none
    }

    /// A row, and the range of its record in ``records``.
    struct Row: BitwiseCopyable {
        let rowID: Int64
        let start: Int
        let end: Int
    }

    private(set) var rows: [Row] = []
    private(set) var records: Bytes
    private var record = RecordBuilder()

    /// - Parameter capacity: the initial size of the buffer in bytes.
    package init(capacity: Int = 1 << 16) { records = Bytes(capacity: capacity) }

    package var count: Int { rows.count }
    /// The size of the rows.
    package var byteCount: Int { records.count }

    /// SQLite's maximum size of a record.
    private static let recordLimit = 1_000_000_000

    /// Ends the row.
    ///
    /// - Parameter rowID: the rowid; 0 if it is given to ``TablePages/append(_:_:rowID:)``.
    /// - Returns: false if the row is too large for SQLite; it is dropped then.
    package mutating func endRow(rowID: Int64) -> Bool {
        guard record.size <= Self.recordLimit else {
            record.removeAll()
            return false
        }
        let start = records.count
        record.appendRecord(to: &records)
        rows.append(Row(rowID: rowID, start: start, end: records.count))
        return true
    }

    /// Drops the values of a row that has not ended.
    package mutating func dropRow() { record.removeAll() }

    package mutating func removeAll() {
        dropRow()
        rows.removeAll(keepingCapacity: true)
        records.removeAll()
    }

    package mutating func addNull() { record.addNull() }

    package mutating func add(_ value: Int64, affinity: Affinity = .numeric) { record.add(value, affinity: affinity) }

    package mutating func add(_ value: Double, affinity: Affinity) { record.add(value, affinity: affinity) }

    package mutating func add(text: UnsafeBufferPointer<UInt8>) {
        record.add(type: UInt64(text.count) &* 2 &+ 13, text)
    }

    package mutating func add(blob: UnsafeBufferPointer<UInt8>) {
        record.add(type: UInt64(blob.count) &* 2 &+ 12, blob)
    }

    /// Adds a blob of one byte followed by other bytes.
    package mutating func add(blob first: UInt8, _ rest: UnsafeBufferPointer<UInt8>) { record.add(blob: first, rest) }
}
