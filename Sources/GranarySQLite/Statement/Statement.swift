internal import CSQLite

/// One prepared statement. Parameters count from 1 and columns from 0, as in SQLite.
///
/// It may outlive its connection: the file then stays open until the statement is gone.
package final class Statement {
    package let sql: String
    let handle: OpaquePointer
    let database: OpaquePointer
    private let origin: SQLiteError.Origin

    /// Takes `handle` over; it is finalised with this object.
    init(_ handle: OpaquePointer, database: OpaquePointer, sql: String, origin: SQLiteError.Origin) {
        self.handle = handle
        self.database = database
        self.sql = sql
        self.origin = origin
    }

    deinit { sqlite3_finalize(handle) }

    /// Goes to the next row: true where there is one, false at the end.
    ///
    /// - Throws: what SQLite refuses. The statement is then reset and can be bound and run again.
    package func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failureOfStep(code)
    }

    /// Runs to the end, dropping rows, and resets: one call for each INSERT of a loop.
    ///
    /// Bindings stay. Where they are borrowed, bind anew before the next run.
    package func run() throws(SQLiteError) {
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        guard code == SQLITE_DONE else { throw failureOfStep(code) }
        // Repeats the result of the last step, which is known here.
        sqlite3_reset(handle)
    }

    /// Back to before the first row; bindings stay, and a read lock is let go.
    package func reset() { sqlite3_reset(handle) }

    /// All parameters become NULL.
    package func clearBindings() { sqlite3_clear_bindings(handle) }

    /// Whether running it leaves the database file as it is.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    @inline(never) private func failureOfStep(_ code: Int32) -> SQLiteError {
        // Before the reset, which may report another error.
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
