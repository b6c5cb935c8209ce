import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

/// A table of a store, whatever its model, whose rows can be kept and put back.
struct RecordedTable {
    /// Its place among the store's tables, by their names.
    let number: Int
    let name: String
    let columns: [String]
    /// A name of the row's number that is no column's.
    let rowID: String
    /// Whether a column seems to be the row's number, as `Z_PK` is: who inserts a row then gives it.
    let hasKey: Bool
    /// The highest row number before the transaction; `Int64.min` for an empty table. Rows with higher numbers are new, so
    /// no trigger needs to record them.
    let lastRow: Int64

    /// The name of the temporary table with the before-images. Triggers find it under its bare name.
    var shadow: String { "granary_before_\(number)" }
    /// The table of the before-images' file.
    var images: String { "rows_\(number)" }
    /// The table with the fingerprints of new rows, in the same file.
    var newRows: String { "new_\(number)" }
    var quotedName: String { "main.\(SQL.quoteIdentifier(name))" }
    var quotedColumns: [String] { columns.map(SQL.quoteIdentifier) }
    /// The names of the columns in the before-images.
    var imageColumns: [String] { columns.indices.map { "c\($0)" } }

    /// Gives the number and the values of one row.
    var select: String {
        "SELECT \(([rowID] + quotedColumns).joined(separator: ", ")) FROM \(quotedName) WHERE \(rowID) = ?"
    }

    /// The tables of a store in order of their names; SQLite's own are left out.
    ///
    /// - Throws: ``GranaryError`` with code `refused` for one whose rows have no number, or which is no ordinary table.
    static func all(_ connection: Connection) throws -> [RecordedTable] {
        // By name: VACUUM may change the order that they were made in.
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
                throw refusal(connection, object.name, "is no ordinary table with numbered rows")
            }
            // A row that gives way to another goes without a word to a trigger. No table of Core Data's has such a rule.
            let words = (object.sql ?? "").uppercased()
                .split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
            guard !words.contains("CONFLICT") else {
                throw refusal(connection, object.name, "has a rule for conflicts of its own")
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
            throw refusal(connection, name, "has columns that hide the numbers of its rows")
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
        GranaryError(
            Diagnostic(
                .storeLayout,
                "\(connection.path): the table \"\(Diagnostic.shortened(table))\" \(what); its rows cannot be kept for a "
                    + "revert"))
    }
}
