internal import CSQLite

/// How SQLite holds a value (https://www.sqlite.org/datatype3.html).
package enum StorageClass: Sendable, Hashable {
    case null, integer, real, text, blob
}

/// Columns of the current row, from 0. A column that is not there reads as NULL.
///
/// Ask for the ``type(at:)`` first: SQLite converts where another type is asked for, and forgets the original.
/// Buffers are valid until the next step, reset, or conversion of the same column.
extension Statement {
    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The name that the SELECT gives the column; it is fixed only where the SELECT has an AS.
    package func columnName(at index: Int) -> String? {
        sqlite3_column_name(handle, Int32(clamping: index)).map { String(cString: $0) }
    }

    package func type(at index: Int) -> StorageClass {
        switch sqlite3_column_type(handle, Int32(clamping: index)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    package func isNull(at index: Int) -> Bool {
        sqlite3_column_type(handle, Int32(clamping: index)) == SQLITE_NULL
    }

    package func integer(at index: Int) -> Int64 { sqlite3_column_int64(handle, Int32(clamping: index)) }

    package func double(at index: Int) -> Double { sqlite3_column_double(handle, Int32(clamping: index)) }

    /// The text's bytes, U+0000 included; empty for NULL.
    ///
    /// A file may hold bytes that are no UTF-8; who makes a `String` of them checks.
    /// - Throws: where SQLite has no memory for a conversion.
    package func text(at index: Int) throws(SQLiteError) -> UnsafeBufferPointer<UInt8> {
        // In this order: the count is that of the form that the first call made.
        let start = sqlite3_column_text(handle, Int32(clamping: index))
        let count = sqlite3_column_bytes(handle, Int32(clamping: index))
        guard let start else {
            if isNull(at: index) { return UnsafeBufferPointer(start: nil, count: 0) }
            throw failure(SQLITE_NOMEM)
        }
        return UnsafeBufferPointer(start: start, count: Int(count))
    }

    /// The blob's bytes; empty for NULL and for the empty blob.
    ///
    /// - Throws: where SQLite has no memory for a conversion.
    package func blob(at index: Int) throws(SQLiteError) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_blob(handle, Int32(clamping: index))
        let count = sqlite3_column_bytes(handle, Int32(clamping: index))
        guard let start, count > 0 else {
            if count == 0 { return UnsafeBufferPointer(start: nil, count: 0) }
            throw failure(SQLITE_NOMEM)
        }
        return UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: Int(count))
    }

    /// The text as a `String`; nil for NULL.
    ///
    /// - Throws: `corrupt` where the bytes are no UTF-8.
    package func string(at index: Int) throws(SQLiteError) -> String? {
        if isNull(at: index) { return nil }
        guard let string = String(validating: try text(at: index), as: UTF8.self) else {
            throw failure(.corrupt, "the text of column \(index) is not valid UTF-8")
        }
        return string
    }
}
