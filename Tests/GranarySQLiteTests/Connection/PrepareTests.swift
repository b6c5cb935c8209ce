import GranarySQLite
import Testing

/// From SQL text to statements: scripts, single statements, the cache.
struct PrepareTests {
    @Test(arguments: [
        "", " ", "\n\t", ";", ";;;", "-- nothing", "/* nothing */", "/* not closed", "--", "SELECT 1", "SELECT 1;",
        "SELECT 1; -- end", "SELECT 1;; ;SELECT 2 /* x */", "/* a */ SELECT 1; -- b\n SELECT 2",
    ])
    func scriptsRunToTheirEnd(_ script: String) throws { try Connection.inMemory().execute(script) }

    @Test func scriptsRunInOrderUpToTheError() throws {
        let connection = try Connection.inMemory()
        let error = #expect(throws: SQLiteError.self) {
            try connection.execute("CREATE TABLE a (x); INSERT INTO a VALUES (1), (2);\nSELECT * FROM b; DROP TABLE a")
        }
        #expect(error?.sql == "\\nSELECT * FROM b; DROP TABLE a")
        #expect(error?.message == "no such table: b")
        #expect(try connection.integer("SELECT count(*) FROM a") == 2)
    }

    @Test(arguments: ["SELECT 1", "SELECT 1;", " SELECT 1 ; -- x", "/* x */ SELECT 1 /* y */;;"])
    func oneStatement(_ sql: String) throws {
        let statement = try Connection.inMemory().prepare(sql)
        #expect(try statement.step())
        #expect(statement.sql == sql)
    }

    @Test(arguments: [
        ("", "there is no statement"), ("-- x", "there is no statement"),
        ("SELECT 1; SELECT 2", "there is more than one statement"),
        ("SELECT 1\u{0}; DROP TABLE x", "the SQL has a U+0000"),
    ])
    func notOneStatement(_ sql: String, message: String) throws {
        let connection = try Connection.inMemory()
        let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
        #expect(error?.code == .misuse)
        #expect(error?.message == message)
    }

    @Test(arguments: ["SELEC 1", "SELECT 1; nonsense"])
    func syntaxErrors(_ sql: String) throws {
        let connection = try Connection.inMemory()
        let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
        #expect(error?.code == .error)
        #expect(error?.message.contains("syntax error") == true)
    }

    @Test func cacheGivesTheSameStatementAgain() throws {
        let connection = try Connection.inMemory()
        let first = try connection.borrow("SELECT ?")
        try first.bind(1 as Int64, at: 1)
        #expect(try first.step())
        let second = try connection.borrow("SELECT ?")
        #expect(second !== first)
        connection.giveBack(first)
        let third = try connection.borrow("SELECT ?")
        #expect(third === first)
        // Reset and without its old binding.
        #expect(try third.step())
        #expect(third.isNull(at: 0))
        connection.giveBack(second)
        connection.giveBack(third)
        #expect(try connection.withStatement("SELECT ?") { $0 === third })
        #expect(try connection.withStatement("SELECT ?") { $0 === third })
    }

    @Test func cacheGetsAStatementBackAfterAThrow() throws {
        let connection = try Connection.inMemory()
        struct Stop: Error {}
        var used: Statement?
        #expect(throws: Stop.self) {
            try connection.withStatement("SELECT 1") {
                used = $0
                throw Stop()
            }
        }
        #expect(try connection.withStatement("SELECT 1") { $0 === used })
    }

    @Test func cacheIsBounded() throws {
        let connection = try Connection.inMemory()
        for number in 0...(Connection.idleStatementLimit * 2) {
            #expect(try connection.withStatement("SELECT \(number)") { try $0.step() })
        }
        let first = try connection.borrow("SELECT 0")
        #expect(try first.step())
        #expect(first.integer(at: 0) == 0)
    }

    @Test func cacheRefusesAnothersStatement() throws {
        let (one, other) = (try Connection.inMemory(), try Connection.inMemory())
        try other.execute("PRAGMA user_version = 5")
        other.giveBack(try one.prepare("PRAGMA user_version"))
        try other.withStatement("PRAGMA user_version") {
            let isRow = try $0.step()
            #expect(isRow)
            #expect($0.integer(at: 0) == 5)
        }
    }

    /// The schema may change under a cached statement; SQLite prepares it anew.
    @Test func cachedStatementFollowsTheSchema() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        #expect(try connection.withStatement("SELECT * FROM t") { try $0.step() })
        try connection.execute("ALTER TABLE t ADD COLUMN b DEFAULT 2")
        try connection.withStatement("SELECT * FROM t") {
            let isRow = try $0.step()
            #expect(isRow)
            #expect($0.columnCount == 2)
            #expect($0.integer(at: 1) == 2)
        }
    }
}
