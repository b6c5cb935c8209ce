/// Rows of one table as records: "Record Format", https://www.sqlite.org/fileformat2.html#record_format.
///
/// Add the values of a row in the order of the table's columns, then end the row. A rowid alias (`INTEGER PRIMARY KEY`) is NULL in
/// the record. Values are encoded as SQLite encodes them in columns of their affinity:
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
    /// What a column makes of numbers: "Type Affinity", https://www.sqlite.org/datatype3.html#type_affinity.
    package enum Affinity: Sendable {
        /// INTEGER and NUMERIC: whole numbers become integers.
        case numeric
        /// REAL: whole numbers lie in the file as integers if that is shorter.
        case real
        /// BLOB: values stay as they are.
        case none
    }

    /// A row: its cell in a table leaf, without overflow.
    struct Row: BitwiseCopyable {
        let rowID: Int64
        /// Where the cell begins in ``cells``: the size of the record and the rowid as varints.
        let start: Int
        /// Where the record begins.
        let record: Int
        let end: Int
    }

    private(set) var rows: [Row] = []
    private(set) var cells = Bytes(capacity: 1 << 16)
    /// The serial types of the row's values, as varints.
    private var types = Bytes(capacity: 64)
    private var body = Bytes(capacity: 512)

    package init() {}

    package var count: Int { rows.count }
    /// The size of the rows.
    package var byteCount: Int { cells.count }

    /// SQLite's limit for a record.
    private static let recordLimit = 1_000_000_000

    /// Ends the row.
    ///
    /// - Returns: false for a row that is too large for SQLite, which is dropped.
    package mutating func endRow(rowID: Int64) -> Bool {
        // The size of the header counts the bytes of the size itself.
        let length = Bytes.varintLength(UInt64(types.count))
        var header = types.count &+ length
        if Bytes.varintLength(UInt64(header)) > length { header &+= 1 }
        let size = header &+ body.count
        defer { dropRow() }
        guard size <= Self.recordLimit else { return false }
        let start = cells.count
        cells.appendVarint(UInt64(size))
        cells.appendVarint(UInt64(bitPattern: rowID))
        let record = cells.count
        cells.appendVarint(UInt64(header))
        cells.append(types.all)
        cells.append(body.all)
        rows.append(Row(rowID: rowID, start: start, record: record, end: cells.count))
        return true
    }

    /// Drops the values of a row that has not ended.
    package mutating func dropRow() {
        types.removeAll()
        body.removeAll()
    }

    package mutating func removeAll() {
        dropRow()
        rows.removeAll(keepingCapacity: true)
        cells.removeAll()
    }

    package mutating func addNull() { types.append(0) }

    package mutating func add(_ value: Int64, affinity: Affinity = .numeric) {
        let magnitude = UInt64(bitPattern: value < 0 ? ~value : value)
        switch magnitude {
        case 0...127:
            if magnitude <= 1, value >= 0 { return types.append(UInt8(8 + magnitude)) }
            add(value, type: 1, bytes: 1)
        case 0...32_767: add(value, type: 2, bytes: 2)
        case 0...8_388_607: add(value, type: 3, bytes: 3)
        case 0...2_147_483_647: add(value, type: 4, bytes: 4)
        case 0...140_737_488_355_327: add(value, type: 5, bytes: 6)
        default:
            if affinity == .real { return addReal(Double(value)) }
            add(value, type: 6, bytes: 8)
        }
    }

    package mutating func add(_ value: Double, affinity: Affinity) {
        if affinity != .none, let whole = Int64(exactly: value), whole != .min, whole != .max {
            return add(whole, affinity: affinity)
        }
        addReal(value)
    }

    package mutating func add(text: UnsafeBufferPointer<UInt8>) {
        types.appendVarint(UInt64(text.count) &* 2 &+ 13)
        body.append(text)
    }

    package mutating func add(blob: UnsafeBufferPointer<UInt8>) {
        types.appendVarint(UInt64(blob.count) &* 2 &+ 12)
        body.append(blob)
    }

    /// The same as ``add(blob:)`` for a byte and the bytes behind it.
    package mutating func add(blob first: UInt8, _ rest: UnsafeBufferPointer<UInt8>) {
        types.appendVarint((UInt64(rest.count) &+ 1) &* 2 &+ 12)
        body.append(first)
        body.append(rest)
    }

    private mutating func addReal(_ value: Double) {
        types.append(7)
        body.appendBigEndian(value.bitPattern, bytes: 8)
    }

    private mutating func add(_ value: Int64, type: UInt8, bytes: Int) {
        types.append(type)
        body.appendBigEndian(UInt64(bitPattern: value), bytes: bytes)
    }
}

/// Bytes that grow, without the checks of an array at each of them.
struct Bytes: ~Copyable {
    private var buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(capacity: Int) { buffer = .allocate(capacity: max(16, capacity)) }

    deinit { buffer.deallocate() }

    var all: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: buffer[..<count]) }

    mutating func removeAll() { count = 0 }

    private mutating func reserve(_ more: Int) {
        guard buffer.count &- count < more else { return }
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(buffer.count * 2, count + more))
        _ = larger.update(fromContentsOf: all)
        buffer.deallocate()
        buffer = larger
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        buffer[count] = byte
        count &+= 1
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let from = bytes.baseAddress, let to = buffer.baseAddress, !bytes.isEmpty else { return }
        guard buffer.count &- count >= bytes.count else {
            reserve(bytes.count)
            return append(bytes)
        }
        (to + count).update(from: from, count: bytes.count)
        count &+= bytes.count
    }

    /// The lowest bytes of a number, the highest of them first.
    mutating func appendBigEndian(_ value: UInt64, bytes: Int) {
        reserve(8)
        let aligned = (value << UInt64(64 - 8 * bytes)).bigEndian
        UnsafeMutableRawBufferPointer(buffer).storeBytes(of: aligned, toByteOffset: count, as: UInt64.self)
        count &+= bytes
    }

    /// "Varint", https://www.sqlite.org/fileformat2.html#varint.
    mutating func appendVarint(_ value: UInt64) {
        reserve(9)
        count &+= Bytes.putVarint(value, at: count, in: buffer)
    }

    /// Writes a varint and gives back its length.
    static func putVarint(_ value: UInt64, at place: Int, in buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        if value < 0x80 {
            buffer[place] = UInt8(truncatingIfNeeded: value)
            return 1
        }
        let length = varintLength(value)
        var rest = value
        var index = length &- 1
        if length == 9 {
            buffer[place &+ 8] = UInt8(truncatingIfNeeded: rest)
            rest >>= 8
            index = 7
        }
        var isLast = length != 9
        while index >= 0 {
            buffer[place &+ index] = UInt8(truncatingIfNeeded: rest & 0x7F) | (isLast ? 0 : 0x80)
            isLast = false
            rest >>= 7
            index &-= 1
        }
        return length
    }

    static func varintLength(_ value: UInt64) -> Int {
        if value < 0x80 { return 1 }
        if value >= 1 << 56 { return 9 }
        return (70 &- value.leadingZeroBitCount) / 7
    }
}
