import GranarySQLite
import Testing

struct SchemaTests {
    @Test func objectsInTheOrderOfTheirMaking() throws {
        let connection = try Connection.inMemory()
        try connection.execute(
            """
            CREATE TABLE ZB ( Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR UNIQUE );
            CREATE TABLE ZA (x);
            CREATE INDEX Z_i ON ZA (x COLLATE BINARY ASC);
            CREATE TRIGGER g AFTER INSERT ON ZA BEGIN SELECT 1; END;
            CREATE TABLE s (k INTEGER PRIMARY KEY AUTOINCREMENT);
            """)
        #expect(
            try connection.schema() == [
                SchemaObject(
                    type: "table", name: "ZB", tableName: "ZB",
                    sql: "CREATE TABLE ZB ( Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR UNIQUE )"),
                SchemaObject(type: "index", name: "sqlite_autoindex_ZB_1", tableName: "ZB", sql: nil),
                SchemaObject(type: "table", name: "ZA", tableName: "ZA", sql: "CREATE TABLE ZA (x)"),
                SchemaObject(
                    type: "index", name: "Z_i", tableName: "ZA",
                    sql: "CREATE INDEX Z_i ON ZA (x COLLATE BINARY ASC)"),
                SchemaObject(
                    type: "trigger", name: "g", tableName: "ZA",
                    sql: "CREATE TRIGGER g AFTER INSERT ON ZA BEGIN SELECT 1; END"),
                SchemaObject(
                    type: "table", name: "s", tableName: "s",
                    sql: "CREATE TABLE s (k INTEGER PRIMARY KEY AUTOINCREMENT)"),
                SchemaObject(
                    type: "table", name: "sqlite_sequence", tableName: "sqlite_sequence",
                    sql: "CREATE TABLE sqlite_sequence(name,seq)"),
            ])
        #expect(try connection.tables() == ["ZB", "ZA", "s"])
    }

    @Test(arguments: [
        ("ZNAME", "\"ZNAME\""), ("", "\"\""), ("a\"b", "\"a\"\"b\""), ("a'b", "\"a'b\""),
        ("é\"\u{301}", "\"é\"\"\u{301}\""),
    ])
    func identifiers(_ name: String, quoted: String) throws {
        #expect(SQL.quoteIdentifier(name) == quoted)
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE \(SQL.quoteIdentifier(name)) (x)")
        #expect(try connection.tables().map { Array($0.utf8) } == [Array(name.utf8)])
    }

    @Test func identifierWithU0000IsRefused() throws {
        let connection = try Connection.inMemory()
        #expect(throws: SQLiteError.self) {
            try connection.execute("CREATE TABLE \(SQL.quoteIdentifier("a\u{0}b")) (x)")
        }
        #expect(try connection.tables().isEmpty)
    }

    @Test(arguments: [
        "", "'", "''", "O'Neil", "a\"b", "'; DROP TABLE t; --", "\u{0}", "a\u{0}'é", "'\u{301}", "日本\r\n", "\\",
        "?1 :a $b",
    ])
    func texts(_ text: String) throws {
        let statement = try Connection.inMemory().prepare("SELECT \(SQL.quoteText(text))")
        #expect(try statement.step())
        #expect(statement.type(at: 0) == .text)
        #expect(Array(try statement.text(at: 0)) == Array(text.utf8))
    }
}
