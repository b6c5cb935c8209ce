import Foundation
package import GranaryBase

/// Rows on their way into or out of a store: the one row boundary.
///
/// A context's save, a bulk import, a fetch and an export all pass rows in this form, so that every store sees the
/// same cells for the same values. A row has one cell for each slot of its entity (``Schema/Entity/slotCount``);
/// to-many relationships keep theirs null, because links travel apart from rows. One buffer holds all text and bytes:
/// a row costs no allocation.
package struct RowBatch: Sendable {
    /// What a row is, beside its cells.
    package struct Header: Sendable, BitwiseCopyable {
        /// The concrete entity, as an index.
        package var entity: Int32
        /// The index of its row in ``RowBatch/encoded``; -1 if the row is not encoded.
        package var encoded: Int32 = -1
        /// `Z_PK`.
        package var key: Int64
        /// `Z_OPT`: 1 when inserted, one more at each update.
        package var version: Int64
        /// Where its cells begin in ``RowBatch/cells``.
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

    /// Tells whether a copy of the batch has the same encoded rows.
    private final class SharedRows: Sendable {
        let rows: any EncodedRows

        init(rows: any EncodedRows) { self.rows = rows }
    }

    /// The most bytes that are read from a file of a `file` cell: SQLite's own limit for a blob.
    package static let fileLimit = 1_000_000_000

    package init() {}

    package var isEmpty: Bool { rows.isEmpty }

    package mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        // Another batch may share the encoded rows.
        if isKnownUniquelyReferenced(&shared) { shared?.rows.removeAll() } else { shared = nil }
    }

    /// Starts a row with all cells null and gives back its index.
    @discardableResult
    package mutating func appendRow(entity: Int, key: Int64, version: Int64, slotCount: Int) -> Int {
        rows.append(Header(entity: Int32(entity), key: key, version: version, firstCell: cells.count))
        for _ in 0..<slotCount { cells.append(.null) }
        return rows.count - 1
    }

    /// Appends a row with these cells.
    @inline(__always)
    package mutating func appendRow(entity: Int, key: Int64, version: Int64, cells row: [StoredCell]) {
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

    /// Takes back the last row.
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

    /// Puts a value into a row, as the column of an attribute keeps it.
    package mutating func set(_ value: BorrowedValue, row: Int, slot: Int) {
        self[row, slot] = cell(for: value)
    }

    /// What of a value a column keeps (design: "column affinity applied").
    package mutating func cell(for value: BorrowedValue) -> StoredCell {
        switch value {
        case .null: return .null
        case .boolean(let value): return .integer(value ? 1 : 0)
        case .integer(let value): return .integer(value)
        // Adding zero turns -0.0 into 0.0: SQLite does not keep the sign of a zero either.
        case .float(let value): return .real(Double(value) + 0)
        case .double(let value): return .real(value + 0)
        case .date(let seconds):
            // TIMESTAMP has NUMERIC affinity: SQLite makes an integer of a whole number inside the range of 64 bits. The
            // lowest one it leaves alone.
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

    /// How many bytes a batch may hold before it must be handed on: cells count them in 32 bits.
    package static let byteLimit = 1 << 30

    private mutating func append(_ buffer: UnsafeBufferPointer<UInt8>) -> (start: UInt32, count: UInt32) {
        let start = UInt32(truncatingIfNeeded: bytes.count)
        bytes.append(contentsOf: buffer)
        return (start, UInt32(truncatingIfNeeded: buffer.count))
    }
}

/// The rows of a batch in the form that a kind of store writes them, made by a ``RowEncoder``.
package protocol EncodedRows: AnyObject, Sendable {
    /// Removes all rows.
    func removeAll()
}

/// Encodes rows before they are inserted. Threads may share an encoder if each encodes its own batch.
package protocol RowEncoder: Sendable {
    /// Encodes the rows of a batch that can be encoded without their primary keys, into ``RowBatch/encoded``.
    ///
    /// Later changes of cells must go through ``RowBatch/subscript(row:slot:)``, which discards the row's encoded form.
    func encode(_ batch: inout RowBatch)
}

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
