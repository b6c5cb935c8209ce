/// One row of `sqlite_master`: a table, an index, a trigger or a view.
package struct SchemaObject: Sendable, Hashable {
    /// `table`, `index`, `trigger` or `view`.
    package var type: String
    package var name: String
    /// The table that it belongs to.
    package var tableName: String
    /// The statement that made it; nil for the indexes that SQLite makes by itself.
    package var sql: String?

    package init(type: String, name: String, tableName: String, sql: String?) {
        self.type = type
        self.name = name
        self.tableName = tableName
        self.sql = sql
    }
}

extension Connection {
    /// How many objects a schema may have. The largest Core Data store known has about 2,000.
    package static let schemaObjectLimit = 100_000

    /// The schema, in the order in which it was made.
    ///
    /// - Throws: also where a text is not UTF-8, or there are more than ``schemaObjectLimit`` objects.
    package func schema() throws(SQLiteError) -> [SchemaObject] {
        let statement = try prepare("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid")
        var objects: [SchemaObject] = []
        while try statement.step() {
            guard objects.count < Self.schemaObjectLimit else {
                throw SQLiteError(
                    .tooBig, "the schema has more than \(Self.schemaObjectLimit) objects", origin: origin)
            }
            objects.append(
                SchemaObject(
                    type: try statement.string(at: 0) ?? "", name: try statement.string(at: 1) ?? "",
                    tableName: try statement.string(at: 2) ?? "", sql: try statement.string(at: 3)))
        }
        return objects
    }

    /// The names of all tables, in the order in which they were made; those of SQLite's own are left out.
    package func tables() throws(SQLiteError) -> [String] {
        try schema().filter { $0.type == "table" && !$0.name.hasPrefix("sqlite_") }.map(\.name)
    }
}
