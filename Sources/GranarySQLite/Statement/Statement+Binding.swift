internal import CSQLite

/// Parameters, from 1. Each call throws for an index that the statement does not have, for a value above SQLite's
/// limit of 1,000,000,000 bytes, and for a statement between its first step and its reset.
///
/// A *borrowed* buffer is not copied: its bytes must stay as they are until the statement is reset and bound anew
/// or its bindings are cleared.
extension Statement {
    package func bindNull(at index: Int) throws(SQLiteError) {
        let code = sqlite3_bind_null(handle, Int32(clamping: index))
        guard code == SQLITE_OK else { throw failure(code) }
    }

    package func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
        let code = sqlite3_bind_int64(handle, Int32(clamping: index), value)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// - Throws: also for NaN, which SQLite would store as NULL.
    package func bind(_ value: Double, at index: Int) throws(SQLiteError) {
        guard !value.isNaN else { throw failure(.mismatch, "parameter \(index) is NaN, which SQLite cannot store") }
        let code = sqlite3_bind_double(handle, Int32(clamping: index), value)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    package func bind(_ value: String, at index: Int) throws(SQLiteError) {
        var value = value
        let code = value.withUTF8 {
            granary_bind_text_copied(handle, Int32(clamping: index), $0.baseAddress, UInt64($0.count))
        }
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Valid UTF-8, U+0000 included. An empty buffer is the empty text, not NULL.
    package func bindText(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
        let code = granary_bind_text_copied(
            handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count))
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// As ``bindText(_:at:)``, the bytes borrowed.
    package func bindBorrowedText(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
        let code = granary_bind_text_borrowed(
            handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count))
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// An empty buffer is the empty blob, not NULL.
    package func bindBlob(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
        let code = granary_bind_blob_copied(
            handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count))
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// As ``bindBlob(_:at:)``, the bytes borrowed.
    package func bindBorrowedBlob(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
        let code = granary_bind_blob_borrowed(
            handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count))
        guard code == SQLITE_OK else { throw failure(code) }
    }
}
