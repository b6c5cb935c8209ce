import Foundation
package import GranaryBase
import GranarySQLite

/// The file of an SQLite database.
package enum DatabaseFile {
    /// Whether a file is an SQLite database, whatever its name.
    package static func isDatabase(_ path: String) -> Bool {
        guard FileKind(path) == .file, let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    /// The names of the tables and views, at most a few, for a message about a database without a table: `authors,
    /// books`. Nil if the file is not a database that can be read.
    package static func tableList(_ path: String) -> String? {
        guard isDatabase(path), let connection = try? Connection.reading(path: path, once: true) else { return nil }
        defer { try? connection.close() }
        guard let tables = try? tables(connection) else { return nil }
        let names = tables.map(\.name).filter { !$0.hasPrefix("sqlite_") }
        return names.prefix(listed).joined(separator: ", ") + (names.count > listed ? ", …" : "")
    }

    /// A table or view, with its columns; the number of rows is nil if they cannot be counted.
    package struct Contents: Sendable {
        package let name: String
        package let columns: [String]
        package let rows: Int?
    }

    /// The tables and views without those of SQLite itself, by name.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable`, or `interrupted`.
    package static func contents(of path: String) throws(GranaryError) -> [Contents] {
        let connection = try converting { try Connection.reading(path: path, once: true) }
        defer { try? connection.close() }
        var contents: [Contents] = []
        for table in try tables(connection) where !table.name.hasPrefix("sqlite_") {
            let name = SQL.quoteIdentifier(table.name)
            // A view can name tables that are gone.
            let selection = try? connection.prepare("SELECT * FROM \(name)")
            let columns = selection.map { statement in
                (0..<statement.columnCount).compactMap { statement.columnName(at: $0) }
            }
            let count = try? connection.prepare("SELECT count(*) FROM \(name)")
            let rows = try? count.flatMap { try $0.step() ? Int($0.integer(at: 0)) : nil }
            try Cancellation.current?.check()
            contents.append(Contents(name: table.name, columns: columns ?? [], rows: rows ?? nil))
        }
        return contents
    }

    private static let listed = 12

    private struct Table {
        let name: String
        /// Whether it is a table whose rows SQLite keeps itself, not a view or a virtual table.
        let isPlain: Bool
    }

    private static func tables(_ connection: Connection) throws(GranaryError) -> [Table] {
        try converting {
            let statement = try connection.prepare(
                "SELECT name, type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' FROM sqlite_schema "
                    + "WHERE type IN ('table', 'view') ORDER BY name")
            var tables: [Table] = []
            while try statement.step() {
                guard let name = try statement.string(at: 0) else { continue }
                tables.append(Table(name: name, isPlain: statement.integer(at: 1) != 0))
            }
            return tables
        }
    }

    /// The query for all rows of a table or view.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if there is none with the name.
    static func selection(
        ofTable name: String, in connection: Connection, file: String
    ) throws(GranaryError) -> String {
        let tables = try tables(connection)
        let folded = name.lowercased()
        guard let table = tables.first(where: { $0.name.lowercased() == folded }) else {
            let names = tables.map(\.name)
            throw GranaryError(
                .usage,
                "\(file): the database has no table \"\(Diagnostic.shortened(name))\""
                    + NearestText.hint(for: name, in: names) + "; its tables are "
                    + (names.isEmpty ? "none" : names.prefix(listed).joined(separator: ", "))
                    + (names.count > listed ? ", …" : ""))
        }
        let sql = "SELECT * FROM \(SQL.quoteIdentifier(table.name))"
        guard table.isPlain else { return sql }
        let key = try keyWithoutRowID(table.name, connection)
        // Without an index the rows come in the order of their rowids.
        return key.isEmpty
            ? sql + " NOT INDEXED" : sql + " ORDER BY " + key.map(SQL.quoteIdentifier).joined(separator: ", ")
    }

    /// The primary key of a table without rowids; empty for other tables.
    private static func keyWithoutRowID(_ table: String, _ connection: Connection) throws(GranaryError) -> [String] {
        try converting {
            let name = SQL.quoteIdentifier(table)
            let list = try connection.prepare("PRAGMA main.table_list(\(name))")
            guard try list.step(), list.integer(at: 4) != 0 else { return [] }
            let statement = try connection.prepare("PRAGMA main.table_info(\(name))")
            var columns: [(place: Int64, name: String)] = []
            while try statement.step() {
                guard statement.integer(at: 5) > 0, let name = try statement.string(at: 1) else { continue }
                columns.append((statement.integer(at: 5), name))
            }
            return columns.sorted { $0.place < $1.place }.map(\.name)
        }
    }
}
