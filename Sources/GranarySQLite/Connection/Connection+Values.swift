internal import CSQLite

/// Single values: pragmas, counts.
extension Connection {
    /// The first column of the first row; nil where there is no row or it is NULL.
    package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        guard try statement.step(), statement.type(at: 0) != .null else { return nil }
        return statement.integer(at: 0)
    }

    /// The first column of the first row; nil where there is no row or it is NULL.
    package func text(_ sql: String) throws(SQLiteError) -> String? {
        let statement = try prepare(sql)
        guard try statement.step() else { return nil }
        return try statement.string(at: 0)
    }

    /// A pragma's value: `integer(pragma: "user_version")`, or `"page_size = 4096"` to set it.
    package func integer(pragma: String) throws(SQLiteError) -> Int64? { try integer("PRAGMA \(pragma)") }

    /// A pragma's value. SQLite answers `journal_mode = DELETE` with the mode that it is in afterwards, and
    /// ignores a name it does not know (nil).
    package func text(pragma: String) throws(SQLiteError) -> String? { try text("PRAGMA \(pragma)") }

    /// Moves the whole write-ahead log into the database file and empties it. Does nothing in other journal modes.
    ///
    /// - Throws: `busy` where another connection still reads the log.
    package func checkpoint() throws(SQLiteError) {
        try check(sqlite3_wal_checkpoint_v2(try open, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
    }
}
