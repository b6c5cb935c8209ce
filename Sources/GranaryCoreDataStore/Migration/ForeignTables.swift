import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Copies the tables of other programs into a migrated store: those whose names do not begin as Core Data's do. Core
/// Data's own leftovers, such as join tables of removed relationships, are not copied.
struct ForeignTables {
    private let old: SQLiteStore
    private let new: SQLiteStore

    init(of old: SQLiteStore, to new: SQLiteStore) {
        self.old = old
        self.new = new
    }

    /// - Throws: ``GranaryError`` with code `refused` for tables of CloudKit, which only Core Data may write.
    func copy() throws {
        let objects = try old.connection.schema()
        let own = Set(try new.connection.schema().map { $0.name.uppercased() })
        let tables = objects.filter { object in
            object.type == "table" && object.sql != nil && !own.contains(object.name.uppercased())
                && !object.name.uppercased().hasPrefix("SQLITE_") && !object.name.uppercased().hasPrefix("Z")
        }
        if let cloud = tables.first(where: { $0.name.uppercased().hasPrefix("ANSCK") }) {
            throw GranaryError(
                Diagnostic(
                    .storeLayout,
                    "\(old.path): the table \(Diagnostic.shortened(cloud.name)) belongs to CloudKit, which only Core Data may "
                        + "migrate"))
        }
        guard !tables.isEmpty else { return }
        try new.connection.transaction(.immediate) {
            for table in tables {
                guard let sql = table.sql, !sql.uppercased().hasPrefix("CREATE VIRTUAL") else { continue }
                try new.connection.execute(sql)
                try copyRows(of: table.name)
            }
            let names = Set(tables.map(\.name))
            for object in objects where object.type == "index" && names.contains(object.tableName) {
                if let sql = object.sql { try new.connection.execute(sql) }
            }
        }
    }

    private func copyRows(of name: String) throws {
        let table = SQL.quoteIdentifier(name)
        try old.connection.withStatement("SELECT * FROM \(table)") { select in
            var columns = 0
            while select.columnName(at: columns) != nil { columns += 1 }
            let places = repeatElement("?", count: columns).joined(separator: ", ")
            try new.connection.withStatement("INSERT INTO \(table) VALUES (\(places))") { insert in
                while try select.step() {
                    for column in 0..<columns { try insert.bind(column: column, of: select, at: column + 1) }
                    try insert.run()
                }
            }
        }
    }
}
