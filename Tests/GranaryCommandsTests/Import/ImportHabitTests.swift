import Foundation
import GranaryModel
import TestSupport
import Testing

/// Numbers, dates and rows as other programs and people write them.
@Suite("Imports of files with other habits") struct ImportHabitTests {
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
        "Numbers with a currency and signs",
        arguments: [
            ("12.50 €", ["€"], "12.5"), ("€12.50", ["€"], "12.5"), ("-€ 5", ["€"], "-5"), ("€-5", ["€"], "-5"),
            ("5 €-", ["€"], "-5"), ("5-€", ["€"], "-5"), ("(5.25 €)", ["€"], "-5.25"), ("(33.52)", [""], "-33.52"),
            ("7-", [""], "-7"), ("\u{2212}7", [""], "-7"), ("5\u{A0}€", ["€"], "5"), ("5\u{202F}kg", ["kg", "€"], "5"),
            ("US$5", ["$", "US$"], "5"), ("5", ["€"], "5"), ("-5", ["€"], "-5"), ("5 %", ["%"], "5"),
        ])
    func currencies(_ text: String, _ affixes: [String], _ value: String) async throws {
        let options = affixes.flatMap { ["--currency", $0] }
        let result = try await importing("name,price\na,\"\(text)\"\n", options)
        #expect(result.code == 0, "\(result.messages)")
        #expect(try exported("price") == "price\n\(value)\n")
    }

    @Test(
        "Not numbers all the same",
        arguments: ["-5-", "€5€", "(-5)", "5 EUR", "€", "()", "(€)", "--5", "5€€", "+-5", "5 - €3"])
    func noNumbers(_ text: String) async throws {
        let result = try await importing("name,price\na,\"\(text)\"\n", ["--currency", "€"])
        #expect(result.code == 65 && result.messages.contains("[value.syntax]"), "\(result.messages)")
    }

    @Test(
        "The help names the option, which works",
        arguments: ["12,50 €", "(33.52)", "7-", "1.234,50 EUR", "$12.50", "12.5 %"])
    func help(_ text: String) async throws {
        let file = "name;price\na;\(text)\n"
        let refused = try await importing(file, ["--delimiter", ";"])
        let help = try #require(refused.lines.first { $0.hasPrefix("  help: ") }, "\(refused.messages)")
        let choice = help.dropFirst("  help: ".count).components(separatedBy: " or ")[0]
        #expect(choice.contains("--currency"), "\(help)")
        let words = ImportHelpLongTests.words(choice)
        let result = try await importing(file, ["--delimiter", ";"] + words)
        #expect(result.code == 0, "\(help): \(result.messages)")
    }

    @Test(
        "Dates as numbers of days, of ASP.NET, AppleScript and ctime",
        arguments: [
            ("45292.5", "excel", "2024-01-01T12:00:00Z"), ("1", "excel", "1900-01-01T00:00:00Z"),
            ("59", "excel", "1900-02-28T00:00:00Z"), ("61", "excel", "1900-03-01T00:00:00Z"),
            ("45351.520833333336", "excel", "2024-02-29T12:30:00Z"), ("0", "excel-1904", "1904-01-01T00:00:00Z"),
            ("43831", "excel-1904", "2024-01-02T00:00:00Z"),
            ("/Date(1198908717056)/", "dotnet", "2007-12-29T06:11:57.056Z"),
            ("/Date(1198908717056+0200)/", "dotnet", "2007-12-29T06:11:57.056Z"),
            ("/Date(-1000)/", "dotnet", "1969-12-31T23:59:59Z"),
            (
                "\"Saturday, November 28, 2026 at 10:24:22 AM\"", "EEEE, MMMM d, yyyy 'at' h:mm:ss a",
                "2026-11-28T10:24:22Z"
            ),
            ("Sat Nov  7 10:24:22 2026", "EEE MMM d HH:mm:ss yyyy", "2026-11-07T10:24:22Z"),
            ("Sat Nov 28 10:24:22 2026", "EEE MMM d HH:mm:ss yyyy", "2026-11-28T10:24:22Z"),
        ])
    func dates(_ text: String, _ format: String, _ expected: String) async throws {
        let result = try await importing("name,day\na,\(text)\n", ["--date-format", format, "--time-zone", "UTC"])
        #expect(result.code == 0, "\(result.messages)")
        #expect(try exported("day") == "day\n\(expected)\n")
    }

    @Test(
        "Numbers of days that are no dates",
        arguments: [
            ("60", "excel"), ("0.5", "excel"), ("-1", "excel"), ("2958466", "excel"), ("x", "excel"),
            ("1e300", "excel"),
            ("/Date(x)/", "dotnet"), ("/Date(1", "dotnet"), ("1198908717056", "dotnet"),
            ("Sat Nov   7 10:24:22 2026", "EEE MMM d HH:mm:ss yyyy"),
        ])
    func noDates(_ text: String, _ format: String) async throws {
        let result = try await importing("name,day\na,\(text)\n", ["--date-format", format, "--time-zone", "UTC"])
        #expect(result.code == 65, "\(result.messages)")
        // A serial number has no zone.
        #expect(try await importing("name,day\na,45292\n", ["--date-format", "excel"]).code == 65)
    }

    @Test("Spaces around quotes, and trimming of some columns")
    func trims() async throws {
        let text = "name, price\n a , \"1.5\" \n"
        #expect(try await importing(text, ["--dry-run"]).code == 65)
        #expect(try await importing(text, ["--trim"]).code == 0)
        #expect(try exported("name,price") == "name,price\na,1.5\n")
        // Only the price; the argument after the option names columns, unless it is a file.
        for words in [["--trim", "price"], ["--trim=price"]] {
            try? FileManager.default.removeItem(atPath: run.path("S.sqlite"))
            let result = await run.run(
                ["import", "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "Thing", "@in.csv"] + words)
            #expect(result.code == 0, "\(result.messages)")
            #expect(try exported("name,price") == "name,price\n a ,1.5\n")
        }
        let file = await run.run(
            "import", "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "Thing", "--trim", "@in.csv",
            "--dry-run")
        #expect(file.code == 0, "\(file.messages)")
        let unknown = try await importing("name\na\n", ["--trim", "nome", "--dry-run"])
        #expect(unknown.code == 65 && unknown.messages.contains("nome"), "\(unknown.messages)")
    }

    @Test("Escapes, a line that names the delimiter, and rows of delimiters alone")
    func rows() async throws {
        let text = "sep=;\r\nname;price\r\na\\;b;1\r\n;\r\n;2\r\n"
        let result = try await importing(text, ["--escape", "\\"])
        #expect(result.code == 0 && result.messages.contains("1 blank line skipped"), "\(result.messages)")
        #expect(try exported("name,price") == "name,price\na;b,1\nNULL,2\n")
        let kept = try await importing(text, ["--escape", "\\", "--blank-rows", "null", "--dry-run"])
        #expect(kept.ledger.contains("read 3 "), "\(kept.messages)")
        let delimiter = try await importing("sep=;\nname,price\na,1\n", ["--delimiter", ",", "--dry-run"])
        #expect(delimiter.code == 65 && delimiter.messages.contains("--skip-rows 1"), "\(delimiter.messages)")
        #expect(try await importing(text, ["--escape", ";;"]).code == 64)
        #expect(try await importing("name\nx\n", ["--escape", "\"", "--dry-run"]).code == 64)
    }

    @Test("A rejects file keeps the line that names the delimiter, so that it is imported in the same way")
    func rejects() async throws {
        let text = "sep=;\r\nname;price\r\na;x\r\nb;2\r\n"
        let result = try await importing(text, ["--mode", "keep-good", "--rejects", run.path("r.csv")])
        #expect(result.code == 1, "\(result.messages)")
        #expect(try run.text("r.csv") == "sep=;\r\nname;price\r\na;x\r\n")
    }

    @Test("A row of NULLs in an exported folder is an object again")
    func exportedNulls() async throws {
        #expect(try await importing("name,price\n,\nb,2\n", ["--blank-rows", "null"]).code == 0)
        let options = ["--entity", "Thing", "--columns", "name,price", "--format", "csv", "--output", run.path("out/")]
        #expect(await run.run(["export", "--store", "@S.sqlite"] + options).code == 0)
        let again = await run.run("import", "@out/Thing.csv", "--model", "@Model.json", "--store", "@T.sqlite")
        #expect(again.ledger.contains("created 2 "), "\(again.messages)")
        let single = await run.run(
            "export", "--store", "@S.sqlite", "--columns", "name,price", "--output", "@one.csv")
        #expect(single.messages.contains("1 row is NULL in all columns"), "\(single.messages)")
        #expect(single.messages.contains("--blank-rows null"), "\(single.messages)")
    }
}
