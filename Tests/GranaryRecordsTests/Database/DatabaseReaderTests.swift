import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryRecords
import GranarySQLite
import TestSupport
import Testing

/// Rows of SQLite databases as records.
struct DatabaseReaderTests {
    private let folder: TemporaryFolder
    private var path: String { folder.url.appending(path: "a.db").path }

    init() throws { folder = try TemporaryFolder() }

    private func make(_ script: String) throws {
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(script)
        try connection.close()
    }

    private struct Row: Equatable {
        var fields: [RecordField?] = []
        var problem: String?
    }

    private func rows(
        _ content: DatabaseContent, _ change: (inout DatabaseReader.Options) -> Void = { _ in }
    ) throws -> (columns: [String], rows: [Row]) {
        var options = DatabaseReader.Options()
        change(&options)
        let reader = DatabaseReader(path: path, content, options: options)
        try reader.readHeader()
        var (result, record): ([Row], Record) = ([], Record())
        while true {
            var row = Row()
            switch try reader.next(into: &record) {
            case .end: return (reader.columns, result)
            case .malformed(let problem):
                #expect(problem.position?.line == result.count + 1 && problem.position?.record == result.count + 1)
                row.problem = "\(problem.code.rawValue) \(problem.position?.column ?? 0) \(problem.help ?? "")"
            case .record: break
            }
            #expect(record.number == result.count + 1 && record.line == record.number)
            row.fields = reader.columns.indices.map { record.field(column: $0) }
            result.append(row)
        }
    }

    private func value(_ sql: String) throws -> RecordField? {
        try rows(.query("SELECT \(sql) AS a")).rows.first?.fields[0]
    }

    @Test(arguments: [
        ("NULL", RecordValue.null), ("0", .number("0")), ("-9223372036854775808", .number("-9223372036854775808")),
        ("0.1", .number("0.1")), ("5.0", .number("5.0")), ("1e300", .number("1e+300")), ("-0.0", .number("-0.0")),
        ("0.1 + 0.2", .number("0.30000000000000004")), ("9e999", .text("Infinity")), ("-9e999", .text("-Infinity")),
        ("''", .text("")), ("'NULL'", .text("NULL")), ("'ä🙂'", .text("ä🙂")), ("'1'", .text("1")),
        ("x''", .binary(Data())), ("x'00ff10'", .binary(Data([0, 255, 16]))), ("zeroblob(3)", .binary(Data(count: 3))),
    ])
    func values(_ sql: String, _ expected: RecordValue) throws {
        try make("CREATE TABLE t (a)")
        #expect(try value(sql) == .value(expected))
    }

    @Test func generatedValuesAreThoseThatWereStored() throws {
        var random = SeededGenerator(seed: 40)
        try make("CREATE TABLE t (a, b)")
        var expected: [Row] = []
        do {
            let connection = try Connection(path: path, mode: .readWrite)
            let insert = try connection.prepare("INSERT INTO t VALUES (?, ?)")
            for _ in 0..<500 {
                let number = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
                let real = Double(bitPattern: random.next())
                let text = String(
                    (0..<Int.random(in: 0...9, using: &random)).map { _ in
                        "aé—🙂'\n".randomElement(using: &random) ?? "x"
                    })
                var row = Row()
                switch Int.random(in: 0...2, using: &random) {
                case 0:
                    try insert.bind(number, at: 1)
                    row.fields = [.value(.number("\(number)"))]
                case 1 where real.isFinite:
                    try insert.bind(real, at: 1)
                    row.fields = [.value(.number("\(real)"))]
                default:
                    try text.utf8CString.withUnsafeBytes {
                        try insert.bindBlob(
                            UnsafeBufferPointer(rebasing: $0.bindMemory(to: UInt8.self).dropLast()), at: 1)
                    }
                    row.fields = [.value(.binary(Data(text.utf8)))]
                }
                try insert.bind(text, at: 2)
                row.fields.append(.value(.text(text)))
                try insert.run()
                expected.append(row)
            }
        }
        let found = try rows(.table("t"))
        #expect(found.columns == ["a", "b"])
        for (row, other) in zip(found.rows, expected) {
            #expect(row == other)
        }
        #expect(found.rows.count == expected.count)
    }

    @Test func rowsOfATableComeInTheOrderOfTheirKeys() throws {
        // The index has all columns, so that SQLite would scan it instead of the table.
        try make(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE UNIQUE INDEX i ON t (a, id);
            INSERT INTO t VALUES (3, 'a'), (1, 'c'), (2, 'b');
            CREATE TABLE w (a TEXT PRIMARY KEY, b) WITHOUT ROWID; CREATE INDEX j ON w (b, a);
            INSERT INTO w VALUES ('b', 1), ('a', 2);
            CREATE TABLE g (a, b AS (a + 1), c AS (a + 2) STORED); INSERT INTO g VALUES (1);
            CREATE VIEW v AS SELECT a FROM t ORDER BY a;
            """)
        func firsts(_ table: String) throws -> [RecordField?] { try rows(.table(table)).rows.map { $0.fields[0] } }
        #expect(try firsts("t") == ["1", "2", "3"].map { .value(.number($0)) })
        #expect(try firsts("W") == ["a", "b"].map { .value(.text($0)) })
        #expect(try firsts("v") == ["a", "b", "c"].map { .value(.text($0)) })
        #expect(try rows(.table("g")).columns == ["a", "b", "c"])
        #expect(try rows(.query("SELECT count(*), a AS \"x y\" FROM t")).columns == ["count(*)", "x y"])
    }

    @Test func malformedRows() throws {
        try make(
            """
            CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'good'), (2, CAST(x'41FF' AS TEXT)),
            (CAST(x'610062' AS TEXT), 'x'), ('0123456789', x'00010203040506070809'), (5, 'after');
            """)
        let found = try rows(.table("t")) { $0.maximumRecordBytes = 12 }.rows
        #expect(
            found.map(\.problem) == [
                nil, "encoding.invalid 2 ", "encoding.invalid 1 --allow-nul", "limit.exceeded 2 ", nil,
            ])
        #expect(found[1].fields[1] == .value(.binary(Data([0x41, 0xFF]))))
        #expect(found[2].fields[0] == .value(.text("a\u{0}b")))
        #expect(try rows(.table("t")) { $0.allowsNUL = true }.rows[2].problem == nil)
    }

    @Test(arguments: [
        (DatabaseContent.table("u"), "the database has no table \"u\""),
        (.query("SELECT a, b AS a FROM t"), "two columns with the name \"a\""),
        (.query("DELETE FROM t"), "only one query that reads is allowed"),
        (.query("SELECT x FROM t"), "the query fails: no such column: x"),
        (.query("SELECT abs(-9223372036854775807 - a) FROM t"), "the query fails: integer overflow"),
        (
            .query("SELECT a FROM t UNION ALL SELECT abs(-9223372036854775807 - b) FROM t"),
            "the query fails after row 1: integer overflow"
        ),
    ])
    func refusals(_ content: DatabaseContent, _ message: String) throws {
        try make("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 1)")
        let error = #expect(throws: GranaryError.self) { try rows(content) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.code == .usage || error?.code == .refused)
    }

    @Test func theNameOfATableIsTheEntity() throws {
        let schema = try ManagedObjectModel(entities: ["Book", "Page"].map { EntityDescription($0, []) })
            .resolved()
        let url = folder.url.appending(path: "a.db")
        func entity(_ table: String) -> String? { ImportSource.sqlite(url, table: table).entity(in: schema)?.name }
        #expect(["Book", "book", "books", "Page", "page"].map(entity) == ["Book", "Book", nil, "Page", "Page"])
        #expect(ImportSource.sqlite(url, query: "SELECT 1").entity(in: schema) == nil)
    }
}
