/// Reads chosen columns of a table's records ("Record Format",
/// https://www.sqlite.org/fileformat2.html#record_format).
final class ScannedRecord {
    private let columns: [ScannedColumns.Column]

    init(_ columns: ScannedColumns) { self.columns = columns.columns }

    /// - Returns: false if the record is not valid, or has values that SQLite reads by other rules.
    func read(
        _ payload: UnsafeBufferPointer<UInt8>, rowID: Int64, into values: UnsafeMutableBufferPointer<ColumnValue>
    ) -> Bool {
        let bytes = UnsafeRawBufferPointer(payload)
        var place = 0
        guard let size = ScannedPage.varint(bytes, &place), size <= UInt64(bytes.count) else { return false }
        let header = Int(size)
        guard place <= header else { return false }
        var start = header
        return columns.withUnsafeBufferPointer { columns in
            for column in columns {
                // A row that is older than the column has no value for it.
                guard place < header else {
                    if column.value >= 0 { values[column.value] = column.isRowID ? .integer(rowID) : .null }
                    continue
                }
                guard let type = ScannedPage.varint(bytes, &place), place <= header,
                    let count = Self.size(of: type), count <= bytes.count &- start
                else { return false }
                defer { start &+= count }
                guard column.value >= 0 else { continue }
                if column.isRowID {
                    guard type == 0 else { return false }
                    values[column.value] = .integer(rowID)
                    continue
                }
                switch type {
                case 0: values[column.value] = .null
                case 7:
                    let number = Double(
                        bitPattern: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)))
                    // SQLite reads NaN as NULL.
                    values[column.value] = number.isNaN ? .null : .real(number)
                case 1...6, 8, 9:
                    let number = Self.integer(bytes, start, count, type)
                    values[column.value] = column.isReal ? .real(Double(number)) : .integer(number)
                default:
                    let span = UnsafeBufferPointer(rebasing: payload[start..<start &+ count])
                    values[column.value] = type & 1 == 1 ? .text(span) : .blob(span)
                }
            }
            // SQLite reports a record as damaged if its values do not fill it. It checks that only when it has read the
            // whole header.
            return place < header || start == bytes.count
        }
    }

    /// The integer in a chosen column, from the first bytes of a record; nil if it is another value or not in these
    /// bytes.
    func integer(_ value: Int, in payload: UnsafeBufferPointer<UInt8>) -> Int64? {
        let bytes = UnsafeRawBufferPointer(payload)
        var place = 0
        guard let size = ScannedPage.varint(bytes, &place), size <= UInt64(bytes.count) else { return nil }
        let header = Int(size)
        var start = header
        for column in columns {
            guard place < header, let type = ScannedPage.varint(bytes, &place), place <= header,
                let count = Self.size(of: type), count <= bytes.count &- start
            else { return nil }
            if column.value == value {
                guard !column.isReal, !column.isRowID, type <= 9, type != 0, type != 7 else { return nil }
                return Self.integer(bytes, start, count, type)
            }
            start &+= count
        }
        return nil
    }

    /// The number of bytes of a value of a serial type; nil for the types that no record has.
    @inline(__always)
    private static func size(of type: UInt64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 12...: Int(truncatingIfNeeded: (type &- 12) / 2)
        default: nil
        }
    }

    @inline(__always)
    private static func integer(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int, _ type: UInt64) -> Int64 {
        if type >= 8 { return type == 9 ? 1 : 0 }
        var number: Int64 = bytes[start] >= 0x80 ? -1 : 0
        for index in start..<start &+ count { number = number << 8 | Int64(bytes[index]) }
        return number
    }
}
