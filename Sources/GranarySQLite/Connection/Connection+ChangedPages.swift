internal import CSQLite

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
