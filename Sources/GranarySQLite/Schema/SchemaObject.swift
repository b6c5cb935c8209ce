/// One row of `sqlite_master`: a table, an index, a trigger or a view.
package struct SchemaObject: Sendable, Hashable {
    /// `table`, `index`, `trigger` or `view`.
    package var type: String
    package var name: String
    /// The table of the object.
    package var tableName: String
    /// The CREATE statement; nil for the automatic indexes of SQLite.
    package var sql: String?

    package init(type: String, name: String, tableName: String, sql: String?) {
        self.type = type
        self.name = name
        self.tableName = tableName
        self.sql = sql
    }
}

extension Connection {
    /// The maximum number of objects in a schema. The largest known Core Data store has about 2,000.
    package static let schemaObjectLimit = 100_000

    /// The schema's objects in the order of their creation.
    ///
    /// - Throws: also if a text is not UTF-8, or there are more than ``schemaObjectLimit`` objects.
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

    /// The names of all tables in the order of their creation, without SQLite's internal tables.
    package func tables() throws(SQLiteError) -> [String] {
        try schema().filter { $0.type == "table" && !$0.name.hasPrefix("sqlite_") }.map(\.name)
    }
}
