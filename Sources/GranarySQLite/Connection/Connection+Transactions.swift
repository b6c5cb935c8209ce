internal import GranaryCSQLite

extension Connection {
    /// The time at which a transaction takes its locks (https://www.sqlite.org/lang_transaction.html).
    package enum TransactionKind: String, Sendable {
        /// Locks at the first read or write.
        case deferred = "DEFERRED"
        /// Takes the write lock at the beginning. Other connections can still read.
        case immediate = "IMMEDIATE"
        /// Takes the write lock at the beginning. In rollback-journal mode, other connections cannot read.
        case exclusive = "EXCLUSIVE"
    }

    /// Runs `body` in a transaction, which is committed if `body` returns and rolled back if it throws.
    ///
    /// - Throws: the error of `body`, BEGIN or COMMIT. The transaction is rolled back also if COMMIT fails.
    package func transaction<Result>(
        _ kind: TransactionKind = .immediate, _ body: () throws -> Result
    ) throws -> Result {
        try execute("BEGIN \(kind.rawValue)")
        changesBefore = totalChanges
        do {
            let result = try body()
            try execute("COMMIT")
            loadedTables = []
            return result
        } catch {
            discardLoad()
            // After some errors, such as a full disk, SQLite has already rolled back. The first error is thrown.
            if isInTransaction { try? execute("ROLLBACK") }
            emptyLoadedTables()
            // After a disk error, the file stays partly written until a read plays the journal back.
            try? execute("SELECT 1 FROM sqlite_master LIMIT 1")
            throw error
        }
    }
}

/// Writing the changed pages of a transaction before its end.
///
/// When its cache is full, SQLite writes changed pages to the file, which it cannot do while others read. Each
/// statement that needs another page then waits for the whole busy timeout and continues: beside a long reader, an
/// import of a few thousand pages would take hours. SQLite's limit is therefore set high, and large transactions call
/// ``writeOutChangedPages(beyond:)``, which throws after one wait if the file is in use.
extension Connection {
    /// The maximum size of changed pages in memory before ``writeOutChangedPages(beyond:)`` writes them: 16 MiB.
    package static let changedBytesLimit = 16 << 20

    /// Sets SQLite's limit to twice ``changedBytesLimit``, so that there is room for the changes between two calls.
    func raiseSpillLimit() throws(SQLiteError) {
        // Negative numbers are KiB.
        try execute("PRAGMA cache_spill = -\(2 * Self.changedBytesLimit / 1024)")
    }

    /// Writes the changed pages to the file if the cache has more than `limit` bytes. The transaction continues and can
    /// still be rolled back.
    ///
    /// - Throws: `busy` if other connections still read after the busy timeout, in rollback-journal mode only.
    package func writeOutChangedPages(beyond limit: Int = Connection.changedBytesLimit) throws(SQLiteError) {
        let database = try open
        var used: Int32 = 0
        var highest: Int32 = 0
        try check(sqlite3_db_status(database, SQLITE_DBSTATUS_CACHE_USED, &used, &highest, 0))
        if Int(used) > limit { try check(sqlite3_db_cacheflush(database)) }
    }
}

/// Single values: pragmas, counts.
extension Connection {
    /// The first column of the first row; nil if there is no row or it is NULL.
    package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        guard try statement.step(), statement.type(at: 0) != .null else { return nil }
        return statement.integer(at: 0)
    }

    /// The first column of the first row; nil if there is no row or it is NULL.
    package func text(_ sql: String) throws(SQLiteError) -> String? {
        let statement = try prepare(sql)
        guard try statement.step() else { return nil }
        return try statement.string(at: 0)
    }

    /// The value of a pragma, such as `user_version`. `page_size = 4096` sets it.
    package func integer(pragma: String) throws(SQLiteError) -> Int64? { try integer("PRAGMA \(pragma)") }

    /// The value of a pragma; nil for an unknown one. `journal_mode = DELETE` returns the mode after the change.
    package func text(pragma: String) throws(SQLiteError) -> String? { try text("PRAGMA \(pragma)") }

    /// Copies the whole write-ahead log to the database file and truncates it. Has no effect in other journal modes.
    ///
    /// - Throws: `busy` if another connection still reads the log.
    package func checkpoint() throws(SQLiteError) {
        try check(sqlite3_wal_checkpoint_v2(try open, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
    }
}
