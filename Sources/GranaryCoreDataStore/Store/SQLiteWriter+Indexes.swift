import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Drops the indexes of a table that gets many rows, and recreates them after the rows are inserted. This is several
/// times as fast as updating the indexes with each row.
extension SQLiteWriter {
    /// The dropped indexes of a table, as SQL statements.
    struct DroppedIndexes {
        let table: String
        let statements: [String]
    }

    /// With fewer new rows than this, updating the indexes costs little.
    private static let leastRows = 20_000
    /// Creating an index reads the stored rows too. Updating an index with one new row takes about as long as reading
    /// this many stored rows to create it.
    private static let storedRowsForEach = 8

    func deferIndexes() {
        // Triggers of derived attributes use the indexes.
        defersIndexes = store.layout.derivedColumns(of: store.schema).isEmpty
    }

    func expect(rows: Int) { expectedRows = rows }

    /// Call after rows are inserted into a table.
    ///
    /// - Parameter expected: an estimate of the number of rows still to be inserted.
    func noteInserted(_ count: Int, into table: String, expected: Int) throws {
        guard defersIndexes else { return }
        if inserted[table] == nil {
            let last = try connection.integer("SELECT MAX(rowid) FROM \(table)") ?? 0
            stored[table] = Int(clamping: last) - count
        }
        inserted[table, default: 0] += count
        guard let rows = inserted[table], rows + expected >= Self.leastRows,
            rows + expected >= (stored[table] ?? 0) / Self.storedRowsForEach,
            !dropped.contains(where: { $0.table == table })
        else { return }
        try dropIndexes(of: table)
    }

    private func dropIndexes(of table: String) throws {
        let indexes = try connection.schema().filter { $0.type == "index" && $0.tableName == table && $0.sql != nil }
        dropped.append(DroppedIndexes(table: table, statements: indexes.compactMap(\.sql)))
        for index in indexes { try connection.execute("DROP INDEX \(SQL.quoteIdentifier(index.name))") }
    }

    func completeIndexes() throws {
        guard !dropped.isEmpty else { return }
        let tables = dropped
        dropped = []
        // Later rows are counted from zero.
        inserted = [:]
        for table in tables {
            for statement in table.statements {
                do { try connection.execute(statement) } catch {
                    guard error.isUniqueViolation else { throw error }
                    throw GranaryError(
                        .refused,
                        "\(store.path): rows of \(table.table) have the same value where values must be unique",
                        underlying: error)
                }
            }
        }
    }
}
