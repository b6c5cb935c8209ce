/// The rows of an SQLite database that are read.
package enum DatabaseContent: Sendable, Hashable {
    /// All rows of a table or view.
    case table(String)
    /// The rows of a query.
    case query(String)
}
