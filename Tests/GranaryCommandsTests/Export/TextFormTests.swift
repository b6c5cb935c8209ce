import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import TestSupport
import Testing

/// Exports for people: separators, encodings, dates and words, and the way back.
struct TextFormTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Stay",
            [
                .attribute("active", .boolean), .attribute("day", .date), .attribute("note", .string),
                .attribute("number", .integer64, .required), .attribute("price", .decimal),
                .attribute("weight", .double), .toOne("rate", "Rate", inverse: "stays"),
            ], unique: [["number"]]),
        EntityDescription(
            "Rate", [.attribute("factor", .decimal, .required), .toMany("stays", "Stay", inverse: "rate")],
            unique: [["factor"]]),
    ])

    private static let stays = #"""
        number,active,day,note,price,weight,rate
        1,true,2024-02-28T23:00:00Z,Müller; Söhne,12.50,1e-07,0.5
        2,false,2024-07-01T12:30:00Z,"=1+1 ""x""",-3,2.25,1.5
        3,,,,,,
        4,true,2024-07-01T22:00:00.25Z,"a,b",0.1,-1.5,0.5

        """#

    /// A folder with `Model.json` and `S.sqlite`.
    private func prepared(_ rows: String = Self.stays) async throws -> CommandRun {
        let run = try CommandRun()
        try run.writeModel(Self.model)
        let made = try await run.importing(rows, as: "Stay.csv", entity: "Stay", ["--on-missing", "create"])
        #expect(made.code == 0, "\(made.messages)")
        return run
    }

    private func export(_ run: CommandRun, _ words: [String], to output: String = "@out.csv") async -> CommandRun.Result
    {
        await run.run(
            ["export", "--store", "@S.sqlite", "--entity", "Stay", "--force", "--output", output] + words)
    }

    private let german = ["--for", "excel-de", "--time-zone", "Europe/Berlin"]

    @Test("A file for a German Excel") func excel() async throws {
        let run = try await prepared()
        let result = await export(run, german)
        #expect(result.code == 0, "\(result.messages)")
        let columns = "active;day;note;number;price;weight;rate"
        let rows = [
            "WAHR;29.02.2024;\"Müller; Söhne\";1;12,5;1e-07;0,5",
            "FALSCH;01.07.2024 14:30:00;\"'=1+1 \"\"x\"\"\";2;-3;2,25;1,5", ";;;3;;;",
            "WAHR;02.07.2024 00:00:00,250;a,b;4;0,1;-1,5;0,5",
        ]
        #expect(try run.text("out.csv") == ([columns] + rows).joined(separator: "\n") + "\n")
        // Foundation leaves the byte order mark out of the text.
        #expect(try Data(contentsOf: URL(filePath: run.path("out.csv"))).starts(with: [0xEF, 0xBB, 0xBF]))
    }

    @Test("The sidecar reverses each named form; so do the printed options", arguments: NamedTextForm.allCases)
    func wayBack(named: NamedTextForm) async throws {
        let run = try await prepared()
        let words = ["--for", named.rawValue, "--time-zone", "Europe/Berlin"]
        let result = await export(run, words)
        #expect(result.code == 0, "\(result.messages)")
        let expected = try run.csv("S.sqlite", "Stay")
        let model = ["--model", "@Model.json", "--entity", "Stay", "--on-missing", "create", "--store"]
        let back = await run.run(["import", "@out.csv"] + model + ["@Back.sqlite"])
        #expect(back.code == 0, "\(back.messages)")
        #expect(try run.csv("Back.sqlite", "Stay") == expected)
        let line = try #require(result.lines.last { $0.hasPrefix("without the sidecar, import it with: ") })
        let options = try ShellWords.split(String(line.dropFirst("without the sidecar, import it with: ".count)))
        _ = try run.folder.write(try run.text("out.csv"), to: "mail.csv")
        let alone = await run.run(["import", "@mail.csv"] + model + ["@Alone.sqlite"] + options)
        #expect(alone.code == 0, "\(alone.messages)")
        #expect(try run.csv("Alone.sqlite", "Stay") == expected)
    }

    @Test("A table of a query has the values of a named form, without its separators and its apostrophes")
    func table() async throws {
        let run = try await prepared()
        let words = ["query", "@S.sqlite", "Stay", "--format", "table", "--limit", "2"] + german
        let result = await run.run(words + ["--columns", "active,day,note,price"])
        #expect(result.code == 0, "\(result.messages)")
        #expect(
            result.output == """
                active  day                  note           price
                ------  -------------------  -------------  -----
                WAHR    29.02.2024           Müller; Söhne   12,5
                FALSCH  01.07.2024 14:30:00  =1+1 "x"          -3

                """)
        for option in [["--delimiter", ";"], ["--quote", "'"], ["--encoding", "utf-8"], ["--bom"]] {
            let refused = await run.run(words + option)
            #expect(refused.code == 64 && refused.messages.contains("do not apply to a table"), "\(refused.messages)")
        }
    }

    @Test("Columns with expressions are left out by an import with the sidecar, and named by the printed options")
    func expressions() async throws {
        let run = try await prepared()
        let result = await export(run, german + ["--columns", "number,note,rate.factor,note.length"])
        #expect(result.code == 0, "\(result.messages)")
        let text = try run.text("out.csv").replacing("a,b", with: "c")
        _ = try run.folder.write("\u{FEFF}" + text, to: "out.csv")
        let update = ["--store", "@S.sqlite", "--on-conflict", "update"]
        let back = await run.run(["import", "@out.csv"] + update)
        #expect(
            back.code == 0 && back.ledger == "read 4 = created 0 + updated 1 + unchanged 3 + skipped 0 + rejected 0")
        let notes = back.lines.filter { $0.contains("note: ") }
        #expect(
            notes.count == 1
                && notes[0].contains(
                    "2 columns contain expressions: rate.factor, note.length; they are left out, and changes in them are "
                        + "not imported"),
            "\(back.messages)")
        #expect(try run.csv("S.sqlite", "Stay").contains(",c,"))
        for option in [["--ignore", "*"], ["--ignore", "rate.factor", "--ignore", "note.length"]] {
            let given = await run.run(["import", "@out.csv"] + update + option)
            #expect(given.code == 0 && !given.messages.contains("note: "), "\(given.messages)")
        }
        let line = try #require(result.lines.last { $0.hasPrefix("without the sidecar, import it with: ") })
        let options = try ShellWords.split(String(line.dropFirst("without the sidecar, import it with: ".count)))
        try FileManager.default.moveItem(atPath: run.path("out.csv"), toPath: run.path("mail.csv"))
        let alone = await run.run(["import", "@mail.csv"] + update + options)
        #expect(alone.code == 0, "\(alone.messages)")
    }

    @Test(
        "Options and the rows that they give",
        arguments: [
            (
                ["--decimal-separator", ",", "--columns", "number,price"],
                "number,price\n1,\"12,5\"\n2,-3\n3,\n4,\"0,1\"\n"
            ),
            (
                ["--true", "ja", "--false", "nein", "--columns", "number,active"],
                "number,active\n1,ja\n2,nein\n3,\n4,ja\n"
            ),
            (["--quote", "'", "--columns", "note", "--null", "-"], "note\nMüller; Söhne\n=1+1 \"x\"\n-\n'a,b'\n"),
            (["--delimiter", "|", "--columns", "number,note", "--limit", "1"], "number|note\n1|Müller; Söhne\n"),
            (
                ["--time-zone", "Europe/Berlin", "--columns", "day", "--null", "-"],
                "day\n2024-02-29T00:00:00+01:00\n2024-07-01T14:30:00+02:00\n-\n2024-07-02T00:00:00.25+02:00\n"
            ),
            (
                ["--date-format", "unix-ms", "--columns", "day", "--null", "-"],
                "day\n1709161200000\n1719837000000\n-\n1719871200250\n"
            ),
            (
                [
                    "--date-format", "d. MMMM yyyy", "--locale", "de", "--time-zone", "Europe/Berlin", "--round-dates",
                    "--columns", "day", "--null", "-",
                ],
                "day\n29. Februar 2024\n1. Juli 2024\n-\n2. Juli 2024\n"
            ),
        ])
    func options(_ words: [String], _ expected: String) async throws {
        let run = try await prepared()
        let result = await export(run, words)
        #expect(result.code == 0, "\(result.messages)")
        #expect(try run.text("out.csv") == expected)
    }

    @Test(
        "Encodings, and the way back",
        arguments: [
            ("windows-1252", "M\u{FC}ller"), ("utf-16le", "M\u{FC}ller"), ("utf-16", "M\u{FC}ller"),
            ("macroman", "M\u{FC}ller"), ("utf-32be", "M\u{FC}ller"),
        ])
    func encodings(_ name: String, _ text: String) async throws {
        let run = try await prepared("number,note\n1,\(text)\n2,\"\(text)\n\"\n")
        let hasMark = name.hasPrefix("utf")
        let result = await export(run, ["--encoding", name] + (hasMark ? ["--bom"] : []))
        #expect(result.code == 0, "\(result.messages)")
        let bytes = try Data(contentsOf: URL(filePath: run.path("out.csv")))
        var expected: [UInt8] = []
        let plain = await export(run, [], to: "@plain.csv")
        #expect(plain.code == 0)
        let whole = Array(((hasMark ? "\u{FEFF}" : "") + (try run.text("plain.csv"))).utf8)
        let encoding = try #require(TextEncoding(name: name))
        #expect(encoding.encode(whole, into: &expected))
        #expect(Array(bytes) == expected)
        let back = await run.run(
            "import", "@out.csv", "--model", "@Model.json", "--entity", "Stay", "--store", "@Back.sqlite")
        #expect(back.code == 0, "\(back.messages)")
        #expect(try run.csv("Back.sqlite", "Stay") == run.csv("S.sqlite", "Stay"))
    }

    @Test("What the form cannot hold is an error with object and property") func losses() async throws {
        let run = try await prepared("number,note,day\n1,Łódź €,\n2,,2024-07-01T12:30:00Z\n3,,2024-10-27T01:30:00Z\n")
        let latin = await export(run, ["--encoding", "iso-8859-1"])
        #expect(
            latin.code == 65
                && latin.messages.contains("Stay/p1: the character Ł (U+0141) cannot be written in ISO-8859-1"),
            "\(latin.messages)")
        let words = ["--date-format", "dd.MM.yyyy", "--time-zone", "Europe/Berlin"]
        let day = await export(run, words)
        #expect(
            day.code == 65 && day.messages.contains("Stay/p2: the date 2024-07-01T12:30:00Z cannot be written exactly"))
        #expect(day.lines.contains("  help: --round-dates"), "\(day.messages)")
        let twice = await export(
            run, ["--date-format", "dd.MM.yyyy HH:mm", "--time-zone", "Europe/Berlin"])
        #expect(twice.messages.contains("a time that occurs twice in Europe/Berlin"), "\(twice.messages)")
        #expect(!run.exists("out.csv") && !run.exists("out.csv.granary.json"))
        let rounded = await export(run, words + ["--round-dates"])
        #expect(
            rounded.code == 0
                && rounded.messages.contains(
                    "warning: Stay.day: 2 dates lost a part of the time in the format dd.MM.yyyy"),
            "\(rounded.messages)")
    }

    @Test("Fractions of a second are written without a loss, and rounded to the nearest text") func fractions()
        async throws
    {
        let run = try await prepared("number,day\n1,2015-09-16T10:04:53.27699995Z\n2,2015-09-16T10:04:53.25Z\n")
        let exact = await export(run, german + ["--columns", "number,day"])
        #expect(exact.code == 0, "\(exact.messages)")
        #expect(
            try run.text("out.csv") == "number;day\n1;16.09.2015 12:04:53,276999950\n2;16.09.2015 12:04:53,250\n")
        try FileManager.default.removeItem(atPath: run.path("out.csv.granary.json"))
        let found = await run.run("inspect", "@out.csv", "--model", "@Model.json", "--entity", "Stay")
        #expect(
            found.output.contains(
                "--date-format 'dd.MM.yyyy HH:mm:ss,SSS' --date-format 'dd.MM.yyyy HH:mm:ss,SSSSSSSSS'")
                || found.output.contains(
                    "--date-format 'dd.MM.yyyy HH:mm:ss,SSSSSSSSS' --date-format 'dd.MM.yyyy HH:mm:ss,SSS'"),
            "\(found.output)")
        let words = ["--date-format", "HH:mm:ss.SSS dd.MM.yyyy", "--time-zone", "UTC", "--columns", "day"]
        let lossy = await export(run, words)
        #expect(lossy.code == 65, "\(lossy.messages)")
        let rounded = await export(run, words + ["--round-dates"])
        #expect(rounded.code == 0, "\(rounded.messages)")
        #expect(try run.text("out.csv") == "day\n10:04:53.277 16.09.2015\n10:04:53.250 16.09.2015\n")
        let whole = await export(run, ["--date-format", "dd.MM.yyyy HH:mm:ss", "--time-zone", "UTC"])
        #expect(whole.lines.contains("  help: --date-format 'dd.MM.yyyy HH:mm:ss.SSSSSSSSS'"), "\(whole.messages)")
    }

    @Test("A local time that occurs twice is written whole, and the offset from UTC is advised") func twice()
        async throws
    {
        let run = try await prepared(
            "number,day\n1,2024-10-27T00:30:00Z\n2,2024-10-27T01:30:00Z\n3,2024-07-01T22:00:00Z\n")
        let exact = await export(run, german)
        #expect(
            exact.code == 65
                && exact.messages.contains("the format dd.MM.yyyy HH:mm:ss is ambiguous: a time that occurs twice"),
            "\(exact.messages)")
        #expect(exact.lines.contains("  help: --date-format 'dd.MM.yyyy HH:mm:ss XXX'"), "\(exact.messages)")
        let rounded = await export(run, german + ["--round-dates", "--columns", "number,day"])
        #expect(rounded.code == 0, "\(rounded.messages)")
        #expect(
            try run.text("out.csv") == "number;day\n1;27.10.2024 02:30:00\n2;27.10.2024 02:30:00\n3;02.07.2024\n")
        #expect(
            rounded.messages.contains(
                "warning: Stay.day: 2 dates in the format dd.MM.yyyy or dd.MM.yyyy HH:mm:ss or dd.MM.yyyy HH:mm:ss,SSS "
                    + "or dd.MM.yyyy HH:mm:ss,SSSSSSSSS are local times that occur twice, the first is 2024-10-27T00:30:00Z; a format with XXX"
            ),
            "\(rounded.messages)")
        // The advice helps.
        let advised = await export(
            run, ["--date-format", "dd.MM.yyyy HH:mm:ss XXX", "--time-zone", "Europe/Berlin"])
        #expect(advised.code == 0, "\(advised.messages)")
    }

    @Test(
        "Wrong uses",
        arguments: [
            (["--date-format", "dd.MM.yyyy"], "need a time zone, such as --time-zone Europe/Berlin"),
            (["--for", "excel-de"], "need a time zone"), (["--true", "ja"], "--false: is needed too"),
            (["--true", "x", "--false", "x"], "\"x\" cannot be both true and false"),
            (["--encoding", "latin1", "--bom"], "ISO-8859-1 has no byte order mark"),
            (["--format", "json", "--decimal-separator", ","], "--decimal-separator: does not apply to json"),
            (["--format", "plist", "--time-zone", "UTC"], "--time-zone: does not apply to plist"),
            (["--dates", "seconds", "--time-zone", "UTC"], "--dates excludes --date-format"),
            (["--round-dates"], "--round-dates needs --date-format"),
            (["--decimal-separator", "7"], "--decimal-separator: \"7\" cannot be a separator in numbers"),
            (["--date-format", "DD.MM.YYYY", "--time-zone", "UTC"], "--date-format: the pattern"),
            (["--delimiter", ";;"], "--delimiter: one byte is needed"),
            (["--encoding", "ascii", "--null", "–", "--columns", "number"], "US-ASCII lacks the character –"),
        ])
    func wrongUses(_ words: [String], _ message: String) async throws {
        let run = try await prepared("number,day\n1,2024-07-01T12:30:00Z\n")
        let result = await export(run, words, to: "@wrong.csv")
        #expect(result.code == 64 && result.messages.contains(message), "\(result.messages)")
        #expect(!run.exists("wrong.csv"))
    }

    @Test("JSON has the dates and the encoding") func json() async throws {
        let run = try await prepared("number,day\n1,2024-02-28T23:00:00Z\n")
        let words = ["--columns", "number,day", "--encoding", "utf-16le", "--time-zone", "Europe/Berlin"]
        let result = await export(run, words + ["--date-format", "dd.MM.yyyy"], to: "@out.json")
        #expect(result.code == 0, "\(result.messages)")
        let data = try Data(contentsOf: URL(filePath: run.path("out.json")))
        #expect(String(data: data, encoding: .utf16LittleEndian) == "[\n{\"number\":1,\"day\":\"29.02.2024\"}\n]\n")
        let back = await run.run(
            "import", "@out.json", "--model", "@Model.json", "--entity", "Stay", "--store", "@Back.sqlite")
        #expect(back.code == 0, "\(back.messages)")
        #expect(try run.rows("Back.sqlite", "Stay", "number,day") == ["1,2024-02-28T23:00:00Z"])
    }

    @Test("A table of a query has the forms of values") func query() async throws {
        let run = try await prepared()
        let words = ["query", "@S.sqlite", "Stay", "--columns", "number,day,price", "--limit", "1"]
        let form = ["--time-zone", "Europe/Berlin", "--date-format", "dd.MM.yyyy", "--decimal-separator", ","]
        let table = await run.run(words + form + ["--format", "table"])
        #expect(table.output.hasSuffix("29.02.2024   12,5\n"), "\(table.output)\(table.messages)")
        let wrong = await run.run(words + ["--format", "table", "--bom"])
        #expect(wrong.code == 64 && wrong.messages.contains("--bom do not apply to a table"), "\(wrong.messages)")
    }

    @Test("A constant table in another encoding") func terms() async throws {
        let run = try await prepared("number,price\n1,0.5\n2,1.25\n")
        let words = ["--format", "terms", "--attribute", "price", "--delimiter", "%", "--decimal-separator", ","]
        let result = await export(run, words + ["--encoding", "utf-16be"], to: "@t.terms")
        #expect(result.code == 0, "\(result.messages)")
        let data = try Data(contentsOf: URL(filePath: run.path("t.terms")))
        #expect(String(data: data, encoding: .utf16BigEndian) == "0,5%1,25\n")
    }
}
