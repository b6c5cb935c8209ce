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
