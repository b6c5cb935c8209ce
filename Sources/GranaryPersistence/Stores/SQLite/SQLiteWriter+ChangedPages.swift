import GranarySQLite

/// Keeps what a transaction has changed in memory within its limit (``Connection/writeOutChangedPages(beyond:)``).
extension SQLiteWriter {
    /// How many single statements may run unseen: each changes a few pages.
    private static let lookInterval = 256

    /// Called after each single statement.
    func didRunStatement() throws {
        statementsSinceLook += 1
        if statementsSinceLook >= Self.lookInterval { try writeOutIfMuch() }
    }

    /// Called after each batch.
    func writeOutIfMuch() throws {
        statementsSinceLook = 0
        // A store in the making has a large cache, which is written once.
        if store.isPublished { try connection.writeOutChangedPages() }
    }
}
