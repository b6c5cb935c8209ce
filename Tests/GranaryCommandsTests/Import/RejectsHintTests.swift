import TestSupport
import Testing

/// What the message about a rejects file says of the command that imports it.
@Suite struct RejectsHintTests {
    private let bench: PeopleBench

    init() throws { bench = try PeopleBench() }

    private static let same = ["--rejects", "@r.csv"]
    private static let table = ["--rejects", "@r.csv", "--rejects-format", "csv"]

    static let cases: [(String, String, [String], String?)] = [
        ("in.csv", "code,age\na,x\n", same, nil), ("in.csv", "code,age\na,x\n", table, nil),
        ("in.csv", "a,x\n", table + ["--no-header", "--columns", "code,age"], "without --no-header, --columns"),
        ("in.tsv", "code\tage\na\tx\n", table, "with --format tsv"),
        (
            "in.json", #"{"data": [{"code": "a", "age": "x"}]}"#, table + ["--records", "data", "--encoding", "utf-8"],
            "without --records, --encoding"
        ),
        ("in.json", #"[{"code": "a", "age": "x"}]"#, same, "with --format json"),
        (
            "in.json", #"[{"code": "a", "age": "x"}]"#, table + ["--format", "json"],
            "with --format csv"
        ),
        (
            "in.terms", "a%b", same + ["--delimiter", "%", "--attribute", "age", "--format", "terms"],
            "with --format csv, without --delimiter, --attribute"
        ),
    ]

    @Test(arguments: cases)
    func `The message tells what differs`(
        _ name: String, _ text: String, _ options: [String], _ hint: String?
    ) async throws {
        _ = try bench.runs.folder.write(text, to: name)
        let result = await bench.run(["@" + name, "--mode", "keep-good"] + options)
        #expect(result.code == 1, "\(result.messages)")
        let line = try #require(result.lines.first { $0.hasPrefix("rejected records are in") })
        #expect(line.hasSuffix(hint.map { "reasons.jsonl; import them " + $0 } ?? "reasons.jsonl"), "\(line)")
    }

    @Test(arguments: [
        (same, "import them with --format ndjson, without --sql"),
        (table, "import them without --sql"),
    ])
    func `Rows of a database are imported from a file`(_ options: [String], _ hint: String) async throws {
        try bench.database("CREATE TABLE t (code, age); INSERT INTO t VALUES ('a', 'x')")
        let result = await bench.run(["@in.db", "--sql", "SELECT * FROM t", "--mode", "keep-good"] + options)
        #expect(result.messages.contains(hint + "\n"), "\(result.messages)")
    }

    @Test func `A table of a document needs the entity`() async throws {
        let text = #"{"entities": {"Person": [{"code": "a", "age": "x"}]}}"#
        let result = try await bench.tabulate(text, as: "in.json", entity: nil)
        #expect(result.messages.contains("; import them with --entity NAME\n"), "\(result.messages)")
    }
}
