internal import CSQLite

extension Connection {
    /// When a transaction takes its locks (https://www.sqlite.org/lang_transaction.html).
    package enum TransactionKind: String, Sendable {
        /// At the first read or write.
        case deferred = "DEFERRED"
        /// The write lock at once; others may still read.
        case immediate = "IMMEDIATE"
        /// At once, and in rollback-journal mode nobody else may read.
        case exclusive = "EXCLUSIVE"
    }

    /// Runs `body` in a transaction: committed where it returns, rolled back where it throws.
    ///
    /// - Throws: what `body` throws, or what BEGIN or COMMIT was refused with; a refused COMMIT is rolled back too.
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
            // SQLite itself has rolled back after some errors (a full disk). The first error is the one to tell.
            if isInTransaction { try? execute("ROLLBACK") }
            emptyLoadedTables()
            // After an error of the disk the file is put right by the next read only, and until then is half written.
            try? execute("SELECT 1 FROM sqlite_master LIMIT 1")
            throw error
        }
    }
}

/// The pages that a transaction has changed and that are in memory only.
///
/// SQLite writes some of them to the file when its cache is full, and may not while others read. Every statement that
/// needs one page more then waits for the whole busy timeout, and goes on all the same: beside one long reader an import
/// of a few thousand pages would take hours. So SQLite's own limit is set high, and whoever writes much asks here
/// in between, where a file that is in use is an error after one wait.
extension Connection {
    /// How many bytes of pages are kept in memory before ``writeOutChangedPages(beyond:)`` writes them: 16 MiB.
    package static let changedBytesLimit = 16 << 20

    /// SQLite's own limit: what is changed from one call to the next has room beside.
    func raiseSpillLimit() throws(SQLiteError) {
        // Negative numbers are KiB.
        try execute("PRAGMA cache_spill = -\(2 * Self.changedBytesLimit / 1024)")
    }

    /// Writes the changed pages to the file where the cache holds more than `limit` bytes. The transaction goes on, and
    /// can be rolled back as before.
    ///
    /// - Throws: `busy` where others still read after the busy timeout; in rollback-journal mode only.
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
