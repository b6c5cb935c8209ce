import Foundation
package import GranaryBase

/// Rows that are read from or written to a store.
///
/// Saves, imports, fetches and exports all pass rows in this form, so that every store receives the same cells for the
/// same values. A row has one cell for each slot of its entity (``Schema/Entity/slotCount``). Cells of to-many
/// relationships are null, because links are passed separately. One buffer holds all text and bytes, so a row needs no
/// allocation.
package struct RowBatch: Sendable {
    /// The data of a row besides its cells.
    package struct Header: Sendable, BitwiseCopyable {
        /// The index of the concrete entity.
        package var entity: Int32
        /// The index of its row in ``RowBatch/encoded``; -1 if the row is not encoded.
        package var encoded: Int32 = -1
        /// `Z_PK`.
        package var key: Int64
        /// `Z_OPT`: 1 when inserted, one more at each update.
        package var version: Int64
        /// The index of its first cell in ``RowBatch/cells``.
        package var firstCell: Int

        package init(entity: Int32, encoded: Int32 = -1, key: Int64, version: Int64, firstCell: Int) {
            self.entity = entity
            self.encoded = encoded
            self.key = key
            self.version = version
            self.firstCell = firstCell
        }
    }

    package var rows: [Header] = []
    package var cells: [StoredCell] = []
    package var bytes: [UInt8] = []
    /// Rows that were encoded in advance; see ``Header/encoded``.
    package var encoded: (any EncodedRows)? {
        get { shared?.rows }
        set { shared = newValue.map { SharedRows(rows: $0) } }
    }
    private var shared: SharedRows?

    /// A reference that tells whether a copy of the batch shares the encoded rows.
    private final class SharedRows: Sendable {
        let rows: any EncodedRows

        init(rows: any EncodedRows) { self.rows = rows }
    }

    /// The maximum number of bytes read from the file of a `file` cell: SQLite's limit for a blob.
    package static let fileLimit = 1_000_000_000

    /// The largest capacity of ``bytes`` that ``removeAll()`` keeps.
    package static let keptBytes = 8 << 20

    package init() {}

    package var isEmpty: Bool { rows.isEmpty }

    package mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        // The memory of a very large value is not kept: several batches are in use at the same time.
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
        // Another batch may share the encoded rows.
        if isKnownUniquelyReferenced(&shared) { shared?.rows.removeAll() } else { shared = nil }
    }

    /// Appends a row of null cells and returns its index.
    @discardableResult
    package mutating func appendRow(entity: Int, key: Int64, version: Int64, slotCount: Int) -> Int {
        rows.append(Header(entity: Int32(entity), key: key, version: version, firstCell: cells.count))
        for _ in 0..<slotCount { cells.append(.null) }
        return rows.count - 1
    }

    /// Appends a row with these cells.
    @inline(__always)
    package mutating func appendRow(
        entity: Int, key: Int64, version: Int64, cells row: UnsafeBufferPointer<StoredCell>
    ) {
        rows.append(
            Header(entity: Int32(truncatingIfNeeded: entity), key: key, version: version, firstCell: cells.count))
        cells.append(contentsOf: row)
    }

    /// Appends rows of another batch, with their cells.
    ///
    /// - Parameter start: where the bytes of the other batch begin in ``bytes``. The caller has appended them.
    package mutating func append(_ range: Range<Int>, of other: borrowing RowBatch, bytesAt start: Int) {
        guard let first = range.first else { return }
        let firstCell = other.rows[first].firstCell
        let endCell = range.upperBound < other.rows.count ? other.rows[range.upperBound].firstCell : other.cells.count
        let shift = cells.count - firstCell
        for index in range {
            var header = other.rows[index]
            header.firstCell += shift
            header.encoded = -1
            rows.append(header)
        }
        let delta = UInt32(truncatingIfNeeded: start)
        cells.append(contentsOf: other.cells[firstCell..<endCell])
        guard delta != 0 else { return }
        for index in firstCell + shift..<endCell + shift {
            switch cells[index] {
            case .null, .integer, .real, .reference: break
            case .text(let start, let count): cells[index] = .text(start: start &+ delta, count: count)
            case .blob(let start, let count): cells[index] = .blob(start: start &+ delta, count: count)
            case .file(let start, let count): cells[index] = .file(start: start &+ delta, count: count)
            case .decimal(let start, let count): cells[index] = .decimal(start: start &+ delta, count: count)
            }
        }
    }

    /// Removes the last row.
    package mutating func removeLastRow() {
        guard let last = rows.popLast() else { return }
        cells.removeSubrange(last.firstCell...)
    }

    /// The cell of a row at a slot.
    package subscript(row: Int, slot: Int) -> StoredCell {
        get { cells[rows[row].firstCell + slot] }
        set {
            cells[rows[row].firstCell + slot] = newValue
            rows[row].encoded = -1
        }
    }

    /// Sets a cell to a value in the form of the attribute's column.
    package mutating func set(_ value: BorrowedValue, row: Int, slot: Int) {
        self[row, slot] = cell(for: value)
    }

    /// Returns the cell of a value, with the column's affinity applied.
    package mutating func cell(for value: BorrowedValue) -> StoredCell {
        switch value {
        case .null: return .null
        case .boolean(let value): return .integer(value ? 1 : 0)
        case .integer(let value): return .integer(value)
        // Adding zero turns -0.0 into 0.0: SQLite does not keep the sign of a zero either.
        case .float(let value): return .real(Double(value) + 0)
        case .double(let value): return .real(value + 0)
        case .date(let seconds):
            // TIMESTAMP has NUMERIC affinity: SQLite converts a whole number in the 64-bit range to an integer, except
            // for the lowest.
            if let whole = Int64(exactly: seconds), whole != .min { return .integer(whole) }
            return .real(seconds)
        case .decimal(let number):
            if let whole = number.int64 { return .integer(whole) }
            let stored = number.storedDouble
            if stored.isExact { return .real(stored.value) }
            let start = bytes.count
            DecimalText.append(number, to: &bytes)
            return .decimal(start: UInt32(start), count: UInt32(bytes.count - start))
        case .text(let buffer), .uri(let buffer):
            let span = append(buffer)
            return .text(start: span.start, count: span.count)
        case .binary(let buffer):
            let span = append(buffer)
            return .blob(start: span.start, count: span.count)
        case .uuid(let value):
            let start = UInt32(bytes.count)
            withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
            return .blob(start: start, count: 16)
        }
    }

    /// The number of bytes at which a batch must be passed on: cells count bytes in 32 bits.
    package static let byteLimit = 1 << 30

    private mutating func append(_ buffer: UnsafeBufferPointer<UInt8>) -> (start: UInt32, count: UInt32) {
        let start = UInt32(truncatingIfNeeded: bytes.count)
        bytes.append(contentsOf: buffer)
        return (start, UInt32(truncatingIfNeeded: buffer.count))
    }
}
