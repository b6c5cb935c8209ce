internal import GranaryCSQLite

extension Connection {
    /// The maximum number of idle prepared statements in the cache. The cache is emptied when it is exceeded.
    package static let idleStatementLimit = 256

    /// Runs all statements of a script and discards their rows.
    ///
    /// - Throws: the error of the first statement that fails. The statements before it have been run.
    package func execute(_ script: String) throws(SQLiteError) {
        let text = try terminated(script)
        var offset = 0
        while offset < text.count - 1 {
            let start = offset
            let (handle, end) = try compile(text, from: start, flags: 0)
            offset = end
            guard let handle else { continue }
            let sql = String(decoding: text[start..<end], as: UTF8.self)
            let statement = Statement(handle, database: try open, sql: sql, origin: origin)
            while try statement.step() {}
        }
    }

    /// Prepares one statement, which the caller owns.
    ///
    /// - Throws: also if the text has no statement, or more than one.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        try prepare(sql, flags: 0)
    }

    /// Returns a prepared statement from the cache, or a new one. The caller returns it with ``giveBack(_:)``.
    ///
    /// Two callers with the same SQL get different statements.
    package func borrow(_ sql: String) throws(SQLiteError) -> Statement {
        if let statement = idleStatements.removeValue(forKey: sql) { return statement }
        return try prepare(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    }

    /// Resets a borrowed statement and puts it in the cache. The caller must not use it again.
    package func giveBack(_ statement: Statement) {
        statement.reset()
        statement.clearBindings()
        guard statement.database == (try? open) else { return }
        if idleStatements.count >= Self.idleStatementLimit { idleStatements.removeAll() }
        idleStatements[statement.sql] = statement
    }

    /// Borrows a statement for the duration of a call.
    package func withStatement<Result>(_ sql: String, _ body: (Statement) throws -> Result) throws -> Result {
        let statement = try borrow(sql)
        defer { giveBack(statement) }
        return try body(statement)
    }

    private func prepare(_ sql: String, flags: UInt32) throws(SQLiteError) -> Statement {
        let text = try terminated(sql)
        let (handle, end) = try compile(text, from: 0, flags: flags)
        guard let handle else { throw SQLiteError(.misuse, "there is no statement", sql: sql, origin: origin) }
        let statement = Statement(handle, database: try open, sql: sql, origin: origin)
        let (second, _) = try compile(text, from: end, flags: 0)
        guard second == nil else {
            sqlite3_finalize(second)
            throw SQLiteError(.misuse, "there is more than one statement", sql: sql, origin: origin)
        }
        return statement
    }

    /// The SQL with a NUL terminator. SQLite copies SQL without one, which for a script takes quadratic time.
    ///
    /// - Throws: if the SQL contains U+0000, because SQLite would silently ignore the rest.
    private func terminated(_ sql: String) throws(SQLiteError) -> [UInt8] {
        var text = Array(sql.utf8)
        guard !text.contains(0) else { throw SQLiteError(.misuse, "the SQL has a U+0000", sql: sql, origin: origin) }
        text.append(0)
        return text
    }

    /// Compiles the first statement at or after `offset`.
    ///
    /// - Returns: the statement, nil if only spaces and comments are left, and its end offset.
    private func compile(
        _ text: [UInt8], from offset: Int, flags: UInt32
    ) throws(SQLiteError) -> (OpaquePointer?, end: Int) {
        let database = try open
        var handle: OpaquePointer?
        var end = text.count - 1
        let code = text.withUnsafeBytes { buffer -> Int32 in
            // The offset is at most `end`, so at least the terminator is left.
            let rest = UnsafeRawBufferPointer(rebasing: buffer.dropFirst(offset))
            let start = rest.baseAddress?.assumingMemoryBound(to: CChar.self)
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(database, start, Int32(clamping: rest.count), flags, &handle, &tail)
            if let start, let tail { end = offset + start.distance(to: tail) }
            return code
        }
        guard code == SQLITE_OK else {
            let sql = String(decoding: text[offset..<(text.count - 1)].prefix(1024), as: UTF8.self)
            throw SQLiteError(code, of: database, sql: sql, origin: origin)
        }
        return (handle, end)
    }
}
