package import GranaryBase
package import GranarySQLite

/// Checks the primary keys of tables where SQLite does not. Core Data declares `Z_PK INTEGER PRIMARY KEY`, which makes
/// the column the rowid. In a table that was made by hand, `Z_PK` can be NULL, a value of another class, or equal in
/// several rows. An object ID then does not identify one row.
package enum KeyCheck {
    /// The tables whose `Z_PK` is the rowid, so that keys are unique integers with an index.
    ///
    /// A primary key of one INTEGER column that is declared with DESC is not the rowid ("ROWIDs and the INTEGER PRIMARY
    /// KEY", https://www.sqlite.org/lang_createtable.html#rowid); it has an index.
    package static func keyedTables(
        _ names: some Sequence<String>, _ connection: Connection
    ) throws(SQLiteError) -> Set<String> {
        let query = """
            SELECT 1 FROM pragma_table_info(?1) WHERE pk > 0 AND NOT EXISTS (
                SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk')
            GROUP BY 1 HAVING COUNT(*) = 1 AND MAX(name) = 'Z_PK' AND MAX(upper(type)) = 'INTEGER'
            """
        var keyed: Set<String> = []
        let statement = try connection.prepare(query)
        for name in names {
            statement.reset()
            try statement.bind(name, at: 1)
            if try statement.step() { keyed.insert(name) }
        }
        return keyed
    }

    /// The rows of a table whose `Z_PK` is not the rowid that have no key, or not one of their own.
    package static func problems(of table: String, _ connection: Connection) throws(SQLiteError) -> [Diagnostic] {
        let name = SQL.quoteIdentifier(table)
        var found: [Diagnostic] = []
        let classes = try connection.prepare(
            "SELECT typeof(Z_PK), COUNT(*) FROM \(name) WHERE typeof(Z_PK) <> 'integer' GROUP BY 1 ORDER BY 1")
        while try classes.step() {
            let (kind, count) = (try classes.string(at: 0) ?? "", classes.integer(at: 1))
            let rows = count == 1 ? "1 row has" : "\(count) rows have"
            found.append(
                Diagnostic(
                    .storeCorrupt,
                    kind == "null"
                        ? "\(table): \(rows) no primary key: Z_PK is NULL"
                        : "\(table): \(rows) a primary key (Z_PK) that is not an integer but \(phrase(kind))"))
        }
        let repeated = try connection.prepare(
            """
            SELECT Z_PK, COUNT(*) FROM \(name) WHERE typeof(Z_PK) = 'integer' GROUP BY 1 HAVING COUNT(*) > 1
            ORDER BY 1 LIMIT 10
            """)
        while try repeated.step() {
            let (key, count) = (repeated.integer(at: 0), repeated.integer(at: 1))
            found.append(Diagnostic(.storeCorrupt, "\(table): \(count) rows have the primary key (Z_PK) \(key)"))
        }
        return found
    }

    private static func phrase(_ storageClass: String) -> String {
        switch storageClass {
        case "real": "a number with decimals"
        case "blob": "binary data"
        default: storageClass
        }
    }
}
