import Foundation
import TestSupport
import Testing

/// Rejected rows of SQLite databases, as JSON Lines and as a table.
@Suite struct RejectsDatabaseTests {
    private let bench: PeopleBench

    init() throws { bench = try PeopleBench() }

    private static let forms = [["--rejects", "@r.ndjson"], ["--rejects", "@r.csv", "--rejects-format", "csv"]]

    @Test(arguments: forms)
    func `A query that gives another order each time`(_ form: [String]) async throws {
        try bench.database(
            """
            CREATE TABLE t (code, age);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
            INSERT INTO t SELECT 'c' || i, CASE WHEN i % 5 = 0 THEN 'bad' ELSE i END FROM n;
            """)
        let sql = "SELECT code, age FROM t ORDER BY random()"
        let result = await bench.run(["@in.db", "--sql", sql, "--mode", "keep-good"] + form)
        #expect(result.code == 1 && result.ledger.hasSuffix("rejected 10"), "\(result.messages)")
        let name = form[1] == "@r.csv" ? "r.csv" : "r.ndjson"
        let lines = try bench.runs.text(name).split(separator: "\n").filter { !$0.contains("$file") }
        #expect(
            lines.count == 10 && lines.allSatisfy { $0.hasSuffix("\"bad\"") || $0.hasSuffix("\"bad\"}") }, "\(lines)")
    }

    @Test func `A row that is rejected after all are read`() async throws {
        try bench.database("CREATE TABLE t (code, boss); INSERT INTO t VALUES ('a', 'b'), ('b', 'x'), ('c', NULL)")
        let result = await bench.run(
            ["@in.db", "--sql", "SELECT * FROM t ORDER BY random()", "--mode", "keep-good", "--rejects", "@r.ndjson"])
        #expect(result.ledger.hasSuffix("rejected 2"), "\(result.messages)")
        let lines = try bench.runs.text("r.ndjson").split(separator: "\n").sorted()
        #expect(lines == [#"{"code":"a","boss":"b"}"#, #"{"code":"b","boss":"x"}"#])
    }

    private static let odd = """
        CREATE TABLE t (code, name, photo, age);
        INSERT INTO t VALUES ('nul', 'a' || char(0) || 'b', NULL, 1), ('text', CAST(X'41FF' AS TEXT), NULL, 2),
            ('blob', X'41FF', NULL, 3), ('good', 'Ann', X'00FF', 'x');
        """

    @Test func `What JSON lacks is an object, which an import rejects again`() async throws {
        try bench.database(Self.odd)
        let result = await bench.run(
            ["@in.db", "--sql", "SELECT * FROM t", "--mode", "keep-good", "--rejects", "@r.ndjson"])
        #expect(result.ledger.hasSuffix("rejected 4"), "\(result.messages)")
        #expect(
            try bench.runs.text("r.ndjson") == """
                {"code":"nul","name":"a\\u0000b","photo":null,"age":1}
                {"code":"text","name":{"$data":"Qf8="},"photo":null,"age":2}
                {"code":"blob","name":{"$data":"Qf8="},"photo":null,"age":3}
                {"code":"good","name":"Ann","photo":"AP8=","age":"x"}

                """)
        let again = await bench.run(["@r.ndjson"])
        #expect(again.code == 65 && again.ledger.hasSuffix("rejected 4"), "\(again.messages)")
    }

    @Test func `What a cell cannot hold is in the record field`() async throws {
        try bench.database(Self.odd)
        let result = await bench.run(["@in.db", "--sql", "SELECT * FROM t"] + PeopleBench.table)
        #expect(result.ledger.hasSuffix("rejected 4"), "\(result.messages)")
        let rows = try bench.rows()
        #expect(rows.map { $0["code"] } == ["nul", "text", "blob", "good"])
        #expect(
            rows.map { $0["$record"] } == [
                #"{"code":"nul","name":"a\u0000b","photo":null,"age":1}"#,
                #"{"code":"text","name":{"$data":"Qf8="},"photo":null,"age":2}"#,
                #"{"code":"blob","name":{"$data":"Qf8="},"photo":null,"age":3}"#, "",
            ])
        #expect(rows[3]["photo"] == "AP8=")
        let again = await bench.run(["@r.csv"])
        #expect(again.code == 65 && again.ledger.hasSuffix("rejected 4"), "\(again.messages)")
    }
}
