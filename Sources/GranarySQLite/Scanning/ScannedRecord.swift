internal import CSQLite

/// Reads chosen columns of a table's records ("Record Format",
/// https://www.sqlite.org/fileformat2.html#record_format).
final class ScannedRecord {
    private struct Column {
        /// Its index among the values; -1 if it is not chosen.
        var value: Int
        /// Whether integers are read as doubles: the affinity REAL stores whole numbers as integers.
        let isReal: Bool
        /// Whether it is the rowid, which the record contains as NULL.
        let isRowID: Bool
    }

    /// The columns of the table in their order, up to the last chosen one.
    private var columns: [Column] = []

    /// - Returns: nil if the table has no such columns, or columns whose values are not all in the records: generated
    ///   ones, and ones with a default value, which rows that are older than the column lack.
    init?(_ connection: Connection, table: String, columns names: [String]) throws(SQLiteError) {
        let statement = try connection.prepare("SELECT name, type, dflt_value, pk, hidden FROM pragma_table_xinfo(?)")
        try statement.bind(table, at: 1)
        var found = 0
        var places: [String: Int] = [:]
        for (index, name) in names.enumerated() { places[name] = index }
        guard places.count == names.count else { return nil }
        while try statement.step() {
            guard statement.integer(at: 4) == 0, statement.isNull(at: 2),
                let name = try statement.string(at: 0), let type = try statement.string(at: 1)
            else { return nil }
            let place = places[name]
            if place != nil { found += 1 }
            let upper = type.uppercased()
            columns.append(
                Column(
                    value: place ?? -1, isReal: Self.isReal(upper),
                    isRowID: statement.integer(at: 3) == 1 && upper == "INTEGER"))
        }
        guard found == names.count else { return nil }
        while columns.last?.value == -1 { columns.removeLast() }
    }

    /// "Determination Of Column Affinity", https://www.sqlite.org/datatype3.html.
    private static func isReal(_ type: String) -> Bool {
        if ["INT", "CHAR", "CLOB", "TEXT", "BLOB"].contains(where: type.contains) { return false }
        return ["REAL", "FLOA", "DOUB"].contains(where: type.contains)
    }

    /// - Returns: false if the record is not valid.
    func read(
        _ payload: UnsafeBufferPointer<UInt8>, rowID: Int64, into values: UnsafeMutableBufferPointer<ColumnValue>
    ) -> Bool {
        let bytes = UnsafeRawBufferPointer(payload)
        var place = 0
        guard let size = ScannedPage.varint(bytes, &place), size <= UInt64(bytes.count) else { return false }
        let header = Int(size)
        var start = header
        return columns.withUnsafeBufferPointer { columns in
            for column in columns {
                // A row that is older than the column has no value for it.
                guard place < header else {
                    if column.value >= 0 { values[column.value] = .null }
                    continue
                }
                guard let type = ScannedPage.varint(bytes, &place), place <= header else { return false }
                let count: Int
                switch type {
                case 0, 8, 9: count = 0
                case 1...4: count = Int(type)
                case 5: count = 6
                case 6, 7: count = 8
                case 12...: count = Int(truncatingIfNeeded: (type &- 12) / 2)
                default: return false
                }
                guard count >= 0, count <= bytes.count &- start else { return false }
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
            return true
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
