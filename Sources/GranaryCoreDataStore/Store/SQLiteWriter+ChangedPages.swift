import GranaryCoordination
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
        // SQLite writes the pages of a store in the making when its cache is full: nobody else reads it.
        if store.isPublished { try connection.writeOutChangedPages() }
    }
}
