import GranaryBase
import GranarySQLite
import Testing

struct StatementTests {
    @Test func describesItself() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a, b)")
        let select = try connection.prepare("SELECT a, b AS second FROM t WHERE a = ?1 OR b = ?2")
        #expect(select.columnCount == 2)
        #expect(select.columnName(at: 0) == "a")
        #expect(select.columnName(at: 1) == "second")
        #expect(select.columnName(at: 2) == nil)
        #expect(select.isReadOnly)
        #expect(try !connection.prepare("DELETE FROM t").isReadOnly)
    }

    /// An index that the statement does not have: NULL when reading, an error when binding.
    @Test(arguments: [-1, 1, 5, Int.max, Int.min])
    func columnThatIsNotThere(_ index: Int) throws {
        let statement = try Connection.inMemory().prepare("SELECT 'x'")
        #expect(try statement.step())
        #expect(statement.type(at: index) == .null)
        #expect(statement.integer(at: index) == 0)
        #expect(statement.double(at: index) == 0)
        #expect(try statement.text(at: index).isEmpty)
        #expect(try statement.blob(at: index).isEmpty)
        #expect(try statement.string(at: index) == nil)
        #expect(statement.columnName(at: index) == nil)
    }

    @Test(arguments: [-1, 0, 3, Int.max, Int.min])
    func parameterThatIsNotThere(_ index: Int) throws {
        let statement = try Connection.inMemory().prepare("SELECT ?, ?")
        let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        let binds: [() throws -> Void] = [
            { try statement.bindNull(at: index) }, { try statement.bind(1 as Int64, at: index) },
            { try statement.bind(1.5, at: index) }, { try statement.bind("", at: index) },
            { try statement.bindText(nothing, at: index) }, { try statement.bindBorrowedText(nothing, at: index) },
            { try statement.bindBlob(nothing, at: index) }, { try statement.bindBorrowedBlob(nothing, at: index) },
        ]
        for bind in binds { #expect(throws: SQLiteError.self) { try bind() } }
        let error = #expect(throws: SQLiteError.self) { try statement.bindNull(at: index) }
        #expect(error?.code == .range)
        #expect(error?.sql == "SELECT ?, ?")
    }

    @Test func bindingBetweenStepAndResetIsRefused() throws {
        let statement = try Connection.inMemory().prepare("SELECT ? UNION ALL SELECT 2")
        #expect(try statement.step())
        let error = #expect(throws: SQLiteError.self) { try statement.bind(1 as Int64, at: 1) }
        #expect(error?.code == .misuse)
        statement.reset()
        try statement.bind(1 as Int64, at: 1)
    }

    @Test func columnsBeforeTheFirstStepAreNull() throws {
        let statement = try Connection.inMemory().prepare("SELECT 7")
        #expect(statement.isNull(at: 0))
        #expect(try statement.string(at: 0) == nil)
    }

    @Test func resetKeepsBindingsAndClearDropsThem() throws {
        let statement = try Connection.inMemory().prepare("SELECT ?")
        try statement.bind(7 as Int64, at: 1)
        #expect(try statement.step())
        statement.reset()
        #expect(try statement.step())
        #expect(statement.integer(at: 0) == 7)
        statement.reset()
        statement.clearBindings()
        #expect(try statement.step())
        #expect(statement.isNull(at: 0))
    }

    /// A failed run leaves the statement ready for the next row.
    @Test(arguments: [true, false])
    func goesOnAfterAnError(usesRun: Bool) throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (x INTEGER UNIQUE)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        var failures = 0
        for value in [1, 1, 2, 2, 3] as [Int64] {
            try insert.bind(value, at: 1)
            do throws(SQLiteError) {
                if usesRun { try insert.run() } else { while try insert.step() {} }
                insert.reset()
            } catch {
                failures += 1
                #expect(error.extendedCode == .constraintUnique)
            }
        }
        #expect(failures == 2)
        #expect(try connection.integer("SELECT group_concat(x, '') = '123' FROM t") == 1)
    }

    @Test func runDropsRowsAndCanRunAgain() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (x)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?), (?) RETURNING x")
        try insert.run()
        try insert.bind("a", at: 1)
        try insert.run()
        #expect(connection.changes == 2)
    }

    /// The file stays open for the statement; nothing dangles.
    @Test func outlivesItsConnection() throws {
        func make() throws -> Statement { try Connection.inMemory().prepare("SELECT 7, ?") }
        let statement = try make()
        #expect(try statement.step())
        #expect(statement.integer(at: 0) == 7)
        #expect(throws: SQLiteError.self) { try statement.bindNull(at: 9) }
    }

    @Test func asksForMoreThanTheLengthLimit() throws {
        let connection = try Connection.inMemory()
        let error = #expect(throws: SQLiteError.self) { try connection.integer("SELECT length(zeroblob(1000000001))") }
        #expect(error?.code == .tooBig)
        #expect(error?.granaryError.code == .refused)
    }
}
