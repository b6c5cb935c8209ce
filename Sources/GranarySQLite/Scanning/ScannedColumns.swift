/// The columns of a table that can be scanned, and where the values of the chosen ones go.
struct ScannedColumns {
    struct Column {
        /// Its index among the values; -1 if it is not chosen.
        let value: Int
        /// Whether integers are read as doubles: the affinity REAL stores whole numbers as integers.
        let isReal: Bool
        /// Whether it is the rowid, which the record contains as NULL.
        let isRowID: Bool
    }

    /// The columns of the table in their order, up to the last chosen one.
    private(set) var columns: [Column] = []

    /// - Parameter key: the chosen column that must be the rowid.
    /// - Returns: nil if the table has no such columns, if `key` is not the rowid, and for columns whose values are not
    ///   all in the records: generated ones, and ones with a default value, which rows that are older than the column
    ///   lack.
    init?(
        _ connection: Connection, table: String, key: String, columns names: [String]
    ) throws(SQLiteError) {
        var places: [String: Int] = [:]
        for (index, name) in names.enumerated() { places[name] = index }
        guard places.count == names.count, places[key] != nil,
            try Self.primaryKeyIsRowID(connection, table: table)
        else { return nil }
        let statement = try connection.prepare("SELECT name, type, dflt_value, pk, hidden FROM pragma_table_xinfo(?)")
        try statement.bind(table, at: 1)
        var found = 0
        var hasKey = false
        while try statement.step() {
            guard statement.integer(at: 4) == 0, statement.isNull(at: 2),
                let name = try statement.string(at: 0), let type = try statement.string(at: 1)
            else { return nil }
            if places[name] != nil { found += 1 }
            let isKey = statement.integer(at: 3) > 0
            if isKey {
                guard !hasKey, name == key, Self.uppercased(type) == "INTEGER" else { return nil }
                hasKey = true
            }
            columns.append(
                Column(value: places[name] ?? -1, isReal: Self.isReal(Self.uppercased(type)), isRowID: isKey))
        }
        guard hasKey, found == names.count else { return nil }
        while columns.last?.value == -1 { columns.removeLast() }
    }

    /// Whether the primary key has no index. A table WITHOUT ROWID has one, and so has a primary key of another type
    /// than INTEGER, of several columns, or of one column with DESC ("ROWIDs and the INTEGER PRIMARY KEY",
    /// https://www.sqlite.org/lang_createtable.html#rowid).
    private static func primaryKeyIsRowID(_ connection: Connection, table: String) throws(SQLiteError) -> Bool {
        let statement = try connection.prepare("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'")
        try statement.bind(table, at: 1)
        return try !statement.step()
    }

    /// "Determination Of Column Affinity", https://www.sqlite.org/datatype3.html.
    private static func isReal(_ type: String) -> Bool {
        if ["INT", "CHAR", "CLOB", "TEXT", "BLOB"].contains(where: type.contains) { return false }
        return ["REAL", "FLOA", "DOUB"].contains(where: type.contains)
    }

    /// The type with its ASCII letters in upper case. SQLite does not change other letters.
    private static func uppercased(_ type: String) -> String {
        String(
            decoding: type.utf8.map { (byte: UInt8) -> UInt8 in byte &- 0x61 < 26 ? byte &- 0x20 : byte }, as: UTF8.self
        )
    }
}
