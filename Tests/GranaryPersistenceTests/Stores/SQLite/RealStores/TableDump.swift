import Foundation
import GranarySQLite

/// All that a store's tables hold, and how the file is kept.
struct TableDump {
    /// The rows of each table as SQL literals.
    var rows: [String: Set<String>] = [:]
    /// `sqlite_master` in its order.
    var objects: [String] = []
    var pragmas: [String: String] = [:]

    init(path: String) throws {
        let connection = try Connection(path: path, mode: .readWrite)
        objects = try connection.schema().map { "\($0.type) \($0.name) \($0.sql ?? "")" }
        for name in ["page_size", "auto_vacuum", "encoding", "user_version", "application_id", "journal_mode"] {
            pragmas[name] = try connection.text(pragma: name)
        }
        for table in try connection.tables() {
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

    /// What was there and is no more, a line a row.
    func lost(in other: TableDump) -> [String] {
        rows.flatMap { table, rows in
            rows.subtracting(other.rows[table] ?? []).map { "\(table): \($0.prefix(120))" }
        }.sorted()
    }
}
