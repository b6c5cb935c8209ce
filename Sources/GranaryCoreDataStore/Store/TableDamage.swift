package import GranaryBase
package import GranarySQLite

/// Errors of damaged tables, with the path of the store.
package enum TableDamage {
    package static func error(_ table: String, _ path: String, _ problem: String) -> GranaryError {
        GranaryError(
            Diagnostic(
                .storeCorrupt,
                "\(path): \(Diagnostic.shortened(table)): the store is damaged: \(problem); `granary store check` says "
                    + "what to do"))
    }

    /// The error of rows whose keys do not ascend.
    package static func order(_ table: String, _ path: String, _ key: Int64, after before: Int64) -> GranaryError {
        error(table, path, "the row with Z_PK \(key) comes after the one with \(before)")
    }

    /// Runs statements on a table, and names the table in the error of a damaged page.
    package static func naming<Result>(_ table: String, _ path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let cause as SQLiteError where cause.code == .corrupt {
            throw error(table, path, cause.message)
        } catch let error as any GranaryErrorConvertible { throw error.granaryError }
    }

    /// Compares the number of rows that a whole table has with that of its smallest index, which SQLite counts without
    /// reading rows.
    package static func compareCount(
        _ table: String, _ path: String, rows: Int64, _ connection: Connection
    ) throws {
        let indexed = try connection.integer("SELECT COUNT(*) FROM \(SQL.quoteIdentifier(table))") ?? 0
        guard indexed != rows else { return }
        throw error(table, path, "its pages have \(rows) rows, but its index has \(indexed)")
    }
}
