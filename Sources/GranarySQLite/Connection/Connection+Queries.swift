internal import Foundation
internal import GranaryCSQLite

/// Queries that users write.
extension Connection {
    /// Prepares a query that only reads this database. Anything else is refused: statements that write, ATTACH, PRAGMA,
    /// transactions, and several statements. Unlike other statements of a connection, it can read views.
    ///
    /// - Throws: ``ResultCode/authorization`` for a statement that does not only read, or that has no columns; as
    ///   ``prepare(_:)``.
    package func prepareQuery(_ sql: String) throws(SQLiteError) -> Statement {
        let database = try open
        try check(granary_db_config_flag(database, SQLITE_DBCONFIG_ENABLE_VIEW, 1))
        // A statement can be read-only for SQLite and still do more than read: ATTACH, BEGIN, some pragmas.
        try check(
            sqlite3_set_authorizer(
                database,
                { _, action, name, _, _, _ in
                    switch action {
                    case SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE: return SQLITE_OK
                    // Full-text tables ask whether another process has changed the file.
                    case SQLITE_PRAGMA where name.map { strcasecmp($0, "data_version") == 0 } ?? false:
                        return SQLITE_OK
                    // Asked for when a table function such as json_each declares its columns. A statement that changes the
                    // schema is refused because it is not read-only.
                    case SQLITE_UPDATE where name.map { strcmp($0, "sqlite_master") == 0 } ?? false: return SQLITE_OK
                    default: return SQLITE_DENY
                    }
                }, nil))
        defer { sqlite3_set_authorizer(database, nil, nil) }
        let statement = try prepare(sql)
        guard statement.isReadOnly, statement.columnCount > 0 else {
            throw SQLiteError(.authorization, "the statement does not only read", sql: sql, origin: origin)
        }
        return statement
    }
}
