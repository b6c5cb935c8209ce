import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Drops the indexes of a table that gets many rows, and creates them again when the rows are inserted. This is several times
/// as fast as updating the indexes with each row.
extension SQLiteWriter {
    /// The indexes of one table, as the file has them.
    struct DroppedIndexes {
        let table: String
        let statements: [String]
    }

    /// With fewer new rows than this, updating the indexes costs little.
    private static let leastRows = 20_000
    /// Creating an index reads the stored rows too. Updating it with one new row takes as long as creating it anew takes for
    /// about this many stored rows.
    private static let storedRowsForEach = 8

    func deferIndexes() {
        // Triggers of derived attributes use the indexes.
        defersIndexes = store.layout.derivedColumns(of: store.schema).isEmpty
    }

    func expect(rows: Int) { expectedRows = rows }

    /// Called after rows were inserted into a table.
    func noteInserted(_ count: Int, into table: String) throws {
        guard defersIndexes else { return }
        if inserted[table] == nil {
            let last = try connection.withStatement("SELECT IFNULL(MAX(Z_PK), 0) FROM \(table)") { statement in
                try statement.step() ? statement.integer(at: 0) : 0
            }
            stored[table] = Int(clamping: last) - count
        }
        inserted[table, default: 0] += count
        guard let rows = inserted[table], rows + expectedRows >= Self.leastRows,
            rows + expectedRows >= (stored[table] ?? 0) / Self.storedRowsForEach,
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
        // Rows that are inserted after this are counted from zero.
        inserted = [:]
        for table in tables {
            for statement in table.statements {
                do { try connection.execute(statement) } catch {
                    guard error.isUniqueViolation else { throw error }
                    throw GranaryError(
                        .refused, "\(store.path): rows of \(table.table) have the same in what must be unique",
                        underlying: error)
                }
            }
        }
    }
}
