import Foundation
import GranarySQLite
import TestSupport
import Testing

struct CreatingSchemaTests {
    /// Tables, some with an index that SQLite makes, then indexes, then a trigger, as a store has them.
    private static func statements(_ count: Int) -> [String] {
        (0..<count).map { number in
            number % 5 == 0
                ? "CREATE TABLE Z_\(number)T ( a INTEGER, b INTEGER, PRIMARY KEY (a, b) )"
                : "CREATE TABLE Z\(number) ( Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR )"
        }
            + (0..<count).filter { $0 % 5 != 0 }.map { number in
                "CREATE \(number % 2 == 0 ? "UNIQUE " : "")INDEX I\(number) ON Z\(number) (ZNAME COLLATE BINARY ASC)"
            } + ["CREATE TABLE Z_METADATA (Z_UUID VARCHAR(255))"]
    }

    /// A short list is run statement by statement.
    @Test("A long list of statements gives the same schema as its statements one by one", arguments: [10, 700])
    func sameSchema(_ count: Int) throws {
        let folder = try TemporaryFolder()
        let statements = Self.statements(count)
        let single = try Connection(path: folder.url.path + "/single.sqlite", mode: .create)
        try single.transaction { for statement in statements { try single.execute(statement) } }
        let path = folder.url.path + "/many.sqlite"
        let many = try Connection(path: path, mode: .create)
        try many.execute("PRAGMA auto_vacuum = 2")
        try many.transaction(.exclusive) {
            try many.createSchema(statements + ["CREATE TRIGGER g AFTER INSERT ON Z1 BEGIN SELECT 1; END"])
            try many.execute("INSERT INTO Z1 (ZNAME) VALUES ('a')")
        }
        #expect(try Array(many.schema().dropLast()) == single.schema())
        #expect(try many.schema().last?.name == "g")
        try many.close()
        let again = try Connection(path: path, mode: .readWrite)
        #expect(try again.text("PRAGMA integrity_check") == "ok")
        #expect(try again.integer("SELECT count(*) FROM Z1 WHERE ZNAME = 'a'") == 1)
        // Rows of all tables are where their root pages are.
        try again.execute("INSERT INTO Z\(count - 1) (ZNAME) VALUES ('b'); INSERT INTO Z_0T VALUES (1, 2)")
        #expect(try again.integer("SELECT count(*) FROM Z\(count - 1)") == 1)
        #expect(throws: SQLiteError.self) { try again.execute("INSERT INTO Z_0T VALUES (1, 2)") }
        #expect(throws: SQLiteError.self) {
            try again.execute("PRAGMA writable_schema=ON; DELETE FROM sqlite_master")
        }
    }

    @Test("After a long list the schema table is protected again")
    func protection() throws {
        let connection = try Connection.inMemory()
        try connection.transaction { try connection.createSchema(Self.statements(700)) }
        #expect(throws: SQLiteError.self) {
            try connection.execute("PRAGMA writable_schema=ON; DELETE FROM sqlite_master")
        }
    }
}
