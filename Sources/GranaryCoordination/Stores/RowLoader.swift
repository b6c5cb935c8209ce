import GranaryBase

/// How rows are inserted into a store.
package enum RowLoader: String, Sendable, Hashable {
    /// Builds the pages of tables without SQL; only for new stores.
    case pages
    case sql

    /// The error of a writer that never inserts rows as pages.
    static var pagesError: GranaryError { GranaryError(.usage, "only new SQLite stores can be loaded as pages") }
}
