import Foundation
import GranaryModel
import TestSupport
import Testing

/// Options of an import that say how fields are read, and what a prune may delete.
struct ImportOptionTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeModel(ImportHelpLongTests.model)
    }

    private func importing(_ text: String, _ more: [String] = []) async throws -> CommandRun.Result {
        try await run.importing(text, as: "in.csv", entity: "Thing", more)
    }

    private func exported(_ columns: String) throws -> String { try run.csv("S.sqlite", nil, columns, null: "NULL") }

    @Test(
        "The options for NULL and for the words of Booleans",
        arguments: [
            ("name,key\n\"\",1\n", [], "\"\",1"),
            ("name,key\n\"  \",1\n", ["--trim", "--empty-is-null"], "NULL,1"),
        ])
    func nulls(_ text: String, _ options: [String], _ row: String) async throws {
        let result = try await importing(text, options)
        #expect(result.code == 0, "\(result.messages)")
        #expect(try exported("name,key") == "name,key\n\(row)\n")
    }

    func words() async throws {
        #expect(
            try await importing("name,good\na,oui\nb,si\nc,non\n", ["--true", "oui", "--true", "si", "--false", "non"])
                .code == 0)
        #expect(try exported("name,good") == "name,good\na,true\nb,true\nc,false\n")
        let other = try await importing("name,good\na,true\n", ["--true", "oui", "--false", "non"])
        #expect(other.code == 65 && other.messages.contains("\"oui\" (true)"), "\(other.messages)")
        #expect(try await importing("name,good\na,x\n", ["--true", "x", "--false", "x"]).code == 64)
    }

    func dates() async throws {
        let options = ["--date-format", "dd/MM/yyyy", "--date-format", "MM/dd/yyyy", "--time-zone", "UTC"]
        let refused = try await importing("name,day\na,03/04/2026\n", options)
        #expect(refused.code == 65 && refused.messages.contains("[value.ambiguous]"), "\(refused.messages)")
        #expect(try await importing("name,day\na,13/04/2026\nb,04/13/2026\n", options).code == 0)
        #expect(try exported("name,day") == "name,day\na,2026-04-13T00:00:00Z\nb,2026-04-13T00:00:00Z\n")
        let german = ["--date-format", "d. MMMM yyyy", "--locale", "de", "--time-zone", "UTC", "--dry-run"]
        #expect(try await importing("name,day\na,3. März 2026\n", german).code == 0)
        #expect(try await importing("name,day\na,x\n", ["--locale", "xx-nowhere"]).code == 64)
        let twice = "name,day\na,2026-10-25T02:30\n"
        let zone = ["--time-zone", "Europe/Berlin", "--dry-run"]
        let ambiguous = try await importing(twice, zone)
        #expect(
            ambiguous.code == 65 && ambiguous.lines.contains("  help: --dst earlier or --dst later"),
            "\(ambiguous.messages)")
        #expect(try await importing(twice, zone + ["--dst", "later"]).code == 0)
    }

    @Test("A mapping without columns is refused, and so is --ignore of a column that does not exist")
    func ignored() async throws {
        let nothing = try await importing("\"n;str\"\na;b\n", ["--ignore", "n;str"])
        #expect(nothing.code == 65 && nothing.messages.contains("all columns are ignored"), "\(nothing.messages)")
        let missing = try await importing("name,key\na,1\n", ["--ignore", "kye"])
        #expect(
            missing.code == 65
                && missing.messages.contains("there is no column \"kye\" to ignore; did you mean \"key\""),
            "\(missing.messages)")
        #expect(!run.exists("S.sqlite"))
    }

    @Test("Blank lines of a file with one column are skipped and counted, or NULL")
    func blankLines() async throws {
        let skipped = try await importing("name\na\n\nb\n\n", ["--report", "@r.json"])
        #expect(skipped.code == 0 && skipped.messages.contains("2 blank lines skipped"), "\(skipped.messages)")
        #expect(skipped.ledger.hasPrefix("read 2 = created 2"))
        #expect(try run.text("r.json").contains("\"skippedBlankLines\" : 2"))
        let read = try await importing("name\na\n\nb\n\n", ["--blank-lines", "null"])
        #expect(read.ledger.hasPrefix("read 4 = created 4"))
        // An export never writes a line that would be skipped.
        let export = await run.run(
            "export", "--store", "@S.sqlite", "--format", "csv", "--columns", "name", "--output", "-")
        #expect(export.code == 65 && export.messages.contains("--null NULL"), "\(export.messages)")
    }

    // MARK: Pruning

    private func things(_ keys: some Sequence<Int>) -> String {
        "key,name\n" + keys.map { "\($0),thing \($0)\n" }.joined()
    }

    private let update = ["--on-conflict", "update", "--prune"]

    /// An import without some of the stored things.
    struct Prune: Sendable {
        let stored: Int
        let pruned: Int
        var options: [String] = []
        let isDone: Bool
    }

    @Test(
        "A prune is limited",
        arguments: [
            Prune(stored: 50, pruned: 10, isDone: true),
            Prune(stored: 40, pruned: 11, options: ["--max-prune", "25%"], isDone: false),
        ])
    func prune(_ test: Prune) async throws {
        let (stored, pruned) = (test.stored, test.pruned)
        #expect(try await importing(things(1...stored)).code == 0)
        for dryRun in [["--dry-run"], []] {
            let result = try await importing(things(1...(stored - pruned)), update + test.options + dryRun)
            #expect(result.code == (test.isDone ? 0 : 65), "\(result.messages)")
            if !test.isDone {
                #expect(result.messages.contains("pruning would delete \(pruned) objects"), "\(result.messages)")
                #expect(result.lines.contains("  help: --max-prune \(pruned)"))
            }
        }
        let lines = try exported("key").split(separator: "\n").count - 1
        #expect(lines == (test.isDone ? stored - pruned : stored))
    }

    @Test func pruneLimitsThatAreNone() async throws {
        try await checkPruneLimits(["101%"])
    }

    func checkPruneLimits(_ texts: [String]) async throws {
        for text in texts {
            #expect(try await importing(things(1...2), update + ["--max-prune", text]).code == 64, "\(text)")
        }
        #expect(try await importing(things(1...2), ["--max-prune", "1"]).code == 64)
    }

    @Test("A dry run names objects by their keys, with old and new values")
    func dryRun() async throws {
        #expect(
            try await importing("key,name,weight\n" + (1...40).map { "\($0),thing \($0),1.5\n" }.joined()).code == 0)
        let changed = "key,name,weight\n" + (1...35).map { "\($0),item \($0),\n" }.joined()
        let result = try await importing(changed, update + ["--dry-run", "--report", "@r.json"])
        #expect(result.code == 0, "\(result.messages)")
        let lines = result.lines.filter { $0.hasPrefix("  update") }
        // Objects that would be deleted come first.
        #expect(lines.count == 15 && result.lines.count(where: { $0.hasPrefix("  delete") }) == 5)
        #expect(lines[0].hasSuffix("in.csv:2): name \"thing 1\" -> \"item 1\", weight 1.5 -> NULL"), "\(lines[0])")
        #expect(lines[0].hasPrefix("  update Thing/p1 1 ("), "\(lines[0])")
        #expect(result.messages.contains("… and 20 more changes"))
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(run.text("r.json").utf8)) as? [String: Any])
        let changes = try #require(report["changes"] as? [[String: Any]])
        #expect(changes.count == 40)
        #expect(
            changes[0]["values"] as? [[String: String]] == [
                ["property": "name", "old": "\"thing 1\"", "new": "\"item 1\""],
                ["property": "weight", "old": "1.5", "new": "NULL"],
            ])
        #expect(changes.last?["action"] as? String == "delete" && changes.last?["key"] as? String == "40")
    }

    @Test("All diagnostics go to the report on demand")
    func reportAll() async throws {
        try await checkReports([(["--report-all"], 300)], rows: 300)
    }

    /// Imports bad rows with options, and counts the diagnostics in the report.
    func checkReports(_ cases: [(options: [String], count: Int)], rows: Int = 10_050) async throws {
        let bad = "key,name\n" + (1...rows).map { "x\($0),a\n" }.joined()
        for (options, count) in cases {
            let result = try await importing(bad, options + ["--report", "@r.json", "--force", "--quiet"])
            #expect(result.code == 65)
            let report = try JSONSerialization.jsonObject(with: Data(run.text("r.json").utf8)) as? [String: Any]
            #expect(report?["diagnosticCount"] as? Int == rows)
            let found = try #require(report?["diagnostics"] as? [[String: Any]])
            #expect(found.count == count && found.last?["line"] as? Int == count + 1, "\(options)")
            #expect(found.last?["code"] as? String == "value.syntax")
        }
    }

    func checkPrinted() async throws {
        let bad = "key,name\n" + (1...10_050).map { "x\($0),a\n" }.joined()
        let printed = try await importing(bad, ["--max-diagnostics", "20000"])
        #expect(printed.lines.count { $0.contains("[value.syntax]") } == 10_050)
    }
}

struct ImportOptionLongTests {
    private typealias Prune = ImportOptionTests.Prune

    @Test(
        "The options for NULL and for the words of Booleans",
        arguments: [
            ("name,key\n\"\",1\n", ["--empty-is-null"], "NULL,1"),
            ("name,key\n\"-\",1\n", ["--null", "-"], "-,1"),
            ("name,key\n\"-\",1\n", ["--null", "-", "--null-quoted"], "NULL,1"),
            ("name,key\n\" a \", 1 \n", ["--trim"], "a,1"),
            ("name,key\n -  ,1\n", ["--trim", "--null", "-"], "NULL,1"),
        ])
    func nulls(_ text: String, _ options: [String], _ row: String) async throws {
        try await ImportOptionTests().nulls(text, options, row)
    }

    @Test(
        "A prune is limited",
        arguments: [
            Prune(stored: 200, pruned: 20, isDone: true), Prune(stored: 200, pruned: 21, isDone: false),
            Prune(stored: 50, pruned: 11, isDone: false),
            Prune(stored: 200, pruned: 21, options: ["--max-prune", "20"], isDone: false),
            Prune(stored: 200, pruned: 21, options: ["--max-prune", "21"], isDone: true),
            Prune(stored: 200, pruned: 50, options: ["--max-prune", "25%"], isDone: true),
            Prune(stored: 200, pruned: 51, options: ["--max-prune", "25%"], isDone: false),
            Prune(stored: 50, pruned: 1, options: ["--max-prune", "0"], isDone: false),
        ])
    func prune(_ test: ImportOptionTests.Prune) async throws { try await ImportOptionTests().prune(test) }

    @Test func pruneLimitsThatAreNone() async throws {
        try await ImportOptionTests().checkPruneLimits(["x", "-1", "%", "5 %"])
    }

    @Test("Without --report-all the report has 10,000 diagnostics")
    func reportLimit() async throws {
        try await ImportOptionTests().checkReports([([], 10_000), (["--report-all"], 10_050)])
    }

    @Test("All diagnostics are printed on demand")
    func printed() async throws { try await ImportOptionTests().checkPrinted() }

    @Test func dates() async throws {
        try await ImportOptionTests().dates()
    }

    @Test func words() async throws {
        try await ImportOptionTests().words()
    }
}
