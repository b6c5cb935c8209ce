import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// A table whose rows can be recorded and restored without the store's model.
struct RecordedTable {
    /// The position of the table among the store's tables sorted by name.
    let number: Int
    let name: String
    let columns: [String]
    /// A name of the rowid that is not the name of a column.
    let rowID: String
    /// Whether a column appears to be the rowid, as `Z_PK` is. An INSERT then contains the rowid.
    let hasKey: Bool
    /// The highest rowid before the transaction; `Int64.min` for an empty table. Rows with higher rowids are new, so no
    /// trigger needs to record them.
    let lastRow: Int64

    /// The name of the temporary table with the before-images. Triggers use it without a schema name.
    var shadow: String { "granary_before_\(number)" }
    /// The table of changed rows in the before-images' file.
    var images: String { "rows_\(number)" }
    /// The table with the fingerprints of new rows, in the same file.
    var newRows: String { "new_\(number)" }
    var quotedName: String { "main.\(SQL.quoteIdentifier(name))" }
    var quotedColumns: [String] { columns.map(SQL.quoteIdentifier) }
    /// The names of the columns in the before-images.
    var imageColumns: [String] { columns.indices.map { "c\($0)" } }

    /// The query for the rowid and the values of a row.
    var select: String {
        "SELECT \(([rowID] + quotedColumns).joined(separator: ", ")) FROM \(quotedName) WHERE \(rowID) = ?"
    }

    /// The tables of a store sorted by name, without SQLite's own.
    ///
    /// - Throws: ``GranaryError`` with code `refused` for a table whose rows cannot be recorded, such as a virtual
    ///   table or a table without rowids.
    static func all(_ connection: Connection) throws -> [RecordedTable] {
        // Sorted by name, because VACUUM may change their order.
        let objects = try connection.schema().filter { $0.type == "table" && !$0.name.hasPrefix("sqlite_") }
            .sorted { utf8Less($0.name, $1.name) }
        var withoutRowID: Set<String> = []
        var ordinary: Set<String> = []
        try connection.withStatement("SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main'") { list in
            while try list.step() {
                guard let name = try list.string(at: 0) else { continue }
                if try list.string(at: 1) == "table" { ordinary.insert(name) }
                if list.integer(at: 2) != 0 { withoutRowID.insert(name) }
            }
        }
        return try objects.enumerated().map { number, object in
            guard ordinary.contains(object.name), !withoutRowID.contains(object.name) else {
                throw refusal(connection, object.name, "is not an ordinary table with rowids")
            }
            // A row that a conflict clause replaces fires no trigger. Core Data's tables have no such clauses.
            let words = (object.sql ?? "").uppercased()
                .split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
            guard !words.contains("CONFLICT") else {
                throw refusal(connection, object.name, "has an ON CONFLICT clause")
            }
            return try table(connection, number, object.name)
        }
    }

    private static func table(_ connection: Connection, _ number: Int, _ name: String) throws -> RecordedTable {
        var columns: [String] = []
        var keys: [String] = []
        try connection.withStatement("SELECT name, pk, type FROM pragma_table_info(?, 'main')") { statement in
            try statement.bind(name, at: 1)
            while try statement.step() {
                columns.append(try statement.string(at: 0) ?? "")
                if statement.integer(at: 1) > 0 { keys.append(try statement.string(at: 2) ?? "") }
            }
        }
        let taken = Set(columns.map { $0.lowercased() })
        guard let rowID = ["rowid", "_rowid_", "oid"].first(where: { !taken.contains($0) }) else {
            throw refusal(connection, name, "has columns that hide the rowid")
        }
        guard !columns.isEmpty, columns.count + 3 <= StoreLayout.columnLimit else {
            throw refusal(connection, name, "has \(columns.count) columns")
        }
        let last = try connection.integer("SELECT MAX(\(rowID)) FROM main.\(SQL.quoteIdentifier(name))")
        return RecordedTable(
            number: number, name: name, columns: columns, rowID: rowID,
            hasKey: keys.count == 1 && keys.first?.uppercased() == "INTEGER", lastRow: last ?? Int64.min)
    }

    private static func refusal(_ connection: Connection, _ table: String, _ what: String) -> GranaryError {
        RevertRefusal.unrecordable(connection.path, table: table, what)
    }
}
