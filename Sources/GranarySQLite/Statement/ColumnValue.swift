internal import GranaryCSQLite

/// The value of a column in a row. Texts and blobs are borrowed from the statement or the page that the row is in.
package enum ColumnValue {
    case null
    case integer(Int64)
    case real(Double)
    /// Text, which can be invalid UTF-8 and can contain U+0000.
    case text(UnsafeBufferPointer<UInt8>)
    case blob(UnsafeBufferPointer<UInt8>)

    package var storageClass: StorageClass {
        switch self {
        case .null: .null
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }
}

extension Statement {
    /// Reads the first columns of the current row. The values are valid until the next step or reset.
    ///
    /// - Throws: if SQLite has not enough memory for a conversion.
    package func read(into values: UnsafeMutableBufferPointer<ColumnValue>) throws(SQLiteError) {
        for index in values.indices {
            // One access to the column instead of one for each of the calls below. The connection belongs to one
            // thread, so the value needs no lock.
            let value = sqlite3_column_value(handle, Int32(truncatingIfNeeded: index))
            switch sqlite3_value_type(value) {
            case SQLITE_INTEGER: values[index] = .integer(sqlite3_value_int64(value))
            case SQLITE_FLOAT: values[index] = .real(sqlite3_value_double(value))
            case SQLITE_TEXT:
                // The order matters: the byte count refers to the text that the first call has created.
                guard let start = sqlite3_value_text(value) else { throw failure(SQLITE_NOMEM) }
                values[index] = .text(UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
            case SQLITE_BLOB:
                let start = sqlite3_value_blob(value)
                let count = Int(sqlite3_value_bytes(value))
                guard start != nil || count == 0 else { throw failure(SQLITE_NOMEM) }
                values[index] = .blob(
                    UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count))
            default: values[index] = .null
            }
        }
    }
}
