internal import GranaryCSQLite

/// One prepared statement. Parameters count from 1 and columns from 0, as in SQLite.
///
/// A statement may outlive its connection. The file then stays open until the statement is freed.
package final class Statement {
    package let sql: String
    let handle: OpaquePointer
    let database: OpaquePointer
    private let origin: SQLiteError.Origin

    /// Creates the owner of `handle`, which `deinit` finalises.
    init(_ handle: OpaquePointer, database: OpaquePointer, sql: String, origin: SQLiteError.Origin) {
        self.handle = handle
        self.database = database
        self.sql = sql
        self.origin = origin
    }

    deinit { sqlite3_finalize(handle) }

    /// Moves to the next row.
    ///
    /// - Returns: whether there is a row; false at the end.
    /// - Throws: the error of SQLite. The statement is then reset and can be bound and run again.
    package func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failureOfStep(code)
    }

    /// Runs the statement to its end, discards its rows and resets it, as for an INSERT in a loop.
    ///
    /// Bindings are kept. Borrowed values must be bound again before the next run.
    package func run() throws(SQLiteError) {
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        guard code == SQLITE_DONE else { throw failureOfStep(code) }
        // Returns the result of the last step, which is known to be success.
        sqlite3_reset(handle)
    }

    /// Returns to the start and releases a read lock. Bindings are kept.
    package func reset() { sqlite3_reset(handle) }

    /// Sets all parameters to NULL.
    package func clearBindings() { sqlite3_clear_bindings(handle) }

    /// Whether the statement does not change the database file.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    @inline(never) private func failureOfStep(_ code: Int32) -> SQLiteError {
        // The error is read before the reset, which can set another one.
        let error = failure(code)
        sqlite3_reset(handle)
        return error
    }

    @inline(never) func failure(_ code: Int32) -> SQLiteError {
        SQLiteError(code, of: database, sql: sql, origin: origin)
    }

    @inline(never) func failure(_ code: ResultCode, _ message: String) -> SQLiteError {
        SQLiteError(code, message, sql: sql, origin: origin)
    }
}

/// Binding of parameters, which count from 1. Each call throws for an invalid index, a value above SQLite's limit of
/// 1,000,000,000 bytes, and a statement between its first step and its reset.
///
/// A *borrowed* buffer is not copied: its bytes must not change until the parameter is bound again after a reset, or
/// the bindings are cleared.
extension Statement {
    /// The highest number of a parameter in the statement.
    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

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

    /// Binds valid UTF-8, which can contain U+0000. An empty buffer is the empty text, not NULL.
    package func bindText(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
        let code = granary_bind_text_copied(
            handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count))
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Binds text as ``bindText(_:at:)``, but borrows the bytes.
    package func bindBorrowedText(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
        let code = granary_bind_text_borrowed(
            handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count))
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Binds a blob. An empty buffer is the empty blob, not NULL.
    package func bindBlob(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
        let code = granary_bind_blob_copied(
            handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count))
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Binds a blob as ``bindBlob(_:at:)``, but borrows the bytes.
    package func bindBorrowedBlob(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
        let code = granary_bind_blob_borrowed(
            handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count))
        guard code == SQLITE_OK else { throw failure(code) }
    }
}

/// Access to the columns of the current row, which count from 0. A missing column is NULL.
///
/// Read ``type(at:)`` first: SQLite converts a value that is read as another type, and does not keep the original type.
/// Buffers are valid until the next step, reset, or conversion of the same column.
extension Statement {
    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// The name of a result column. It is well-defined only if the SELECT has an AS.
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

    /// The bytes of a text, which can contain U+0000; empty for NULL.
    ///
    /// The bytes can be invalid UTF-8, which the caller checks.
    /// - Throws: if SQLite has not enough memory for a conversion.
    package func text(at index: Int) throws(SQLiteError) -> UnsafeBufferPointer<UInt8> {
        // The order matters: the byte count refers to the text that the first call has created.
        let start = sqlite3_column_text(handle, Int32(clamping: index))
        let count = sqlite3_column_bytes(handle, Int32(clamping: index))
        guard let start else {
            if isNull(at: index) { return UnsafeBufferPointer(start: nil, count: 0) }
            throw failure(SQLITE_NOMEM)
        }
        return UnsafeBufferPointer(start: start, count: Int(count))
    }

    /// The bytes of a blob; empty for NULL and for the empty blob.
    ///
    /// - Throws: if SQLite has not enough memory for a conversion.
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
    /// - Throws: `corrupt` if the bytes are not valid UTF-8.
    package func string(at index: Int) throws(SQLiteError) -> String? {
        if isNull(at: index) { return nil }
        guard let string = String(validating: try text(at: index), as: UTF8.self) else {
            throw failure(.corrupt, "the text of column \(index) is not valid UTF-8")
        }
        return string
    }
}
