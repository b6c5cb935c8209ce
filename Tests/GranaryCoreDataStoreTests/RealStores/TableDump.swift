import Foundation
import GranaryCoreDataStore
import GranarySQLite
import StoreTestSupport

/// The content of a store's tables, and the file's settings.
struct TableDump {
    /// The rows of each table as SQL literals.
    var rows: [String: Set<String>] = [:]
    /// The rows of `sqlite_master` in order.
    var objects: [String] = []
    var pragmas: [String: String] = [:]

    init(path: String) throws {
        let connection = try Connection(path: path, mode: .readWrite)
        objects = try connection.schema().map { "\($0.type) \($0.name) \($0.sql ?? "")" }
        for name in ["page_size", "auto_vacuum", "encoding", "user_version", "application_id", "journal_mode"] {
            pragmas[name] = try connection.text(pragma: name)
        }
        // A new row changes the nodes of an R-tree. The R-tree itself has a row for each object.
        let nodes = PresentTables.shadowTables(try connection.schema())
        for table in try connection.tables() where !nodes.contains(table) {
            let statement = try connection.prepare("SELECT * FROM \(SQL.quoteIdentifier(table)) LIMIT 0")
            let columns = (0..<statement.columnCount).compactMap { statement.columnName(at: $0) }
            let list = columns.map { "quote(\(SQL.quoteIdentifier($0)))" }.joined(separator: " || ',' || ")
            var found: Set<String> = []
            let rows = try connection.prepare("SELECT \(list) FROM \(SQL.quoteIdentifier(table))")
            while try rows.step() { found.insert(try rows.string(at: 0) ?? "") }
            self.rows[table] = found
        }
        try connection.close()
    }

    /// The removed rows, one line each.
    func lost(in other: TableDump) -> [String] {
        rows.flatMap { table, rows in
            rows.subtracting(other.rows[table] ?? []).map { "\(table): \($0.prefix(120))" }
        }.sorted()
    }
}
