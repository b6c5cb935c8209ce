/// A statement that an SQLite store has executed.
public struct ExecutedStatement: Sendable, Hashable {
    /// The SQL, with `?` in place of values.
    public let sql: String
    /// The time from its beginning to its end. It includes what is done with each row.
    public let duration: Duration
    /// The number of rows that the statement gave.
    public let rowCount: Int
    /// The UUID of the store.
    public let storeIdentifier: String

    package init(sql: String, duration: Duration, rowCount: Int, storeIdentifier: String) {
        self.sql = sql
        self.duration = duration
        self.rowCount = rowCount
        self.storeIdentifier = storeIdentifier
    }
}
