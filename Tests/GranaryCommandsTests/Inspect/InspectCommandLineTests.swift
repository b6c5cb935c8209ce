import Foundation
import GranaryModel
import TestSupport
import Testing

/// The command lines that `granary inspect` prints work when they are pasted, and lose nothing.
struct InspectCommandLineTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeModel(InspectTests.model)
    }

    private func inspect(_ text: String, as name: String, _ words: [String] = []) async throws -> CommandRun.Result {
        _ = try run.folder.write(text, to: name)
        return await run.run(
            ["inspect", "@" + name, "--model", "@Model.json", "--entity", "Order", "--store", "@S.sqlite"] + words)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let columns: String
        let stored: String

        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "towns.geojson",
            text: #"""
                {"type": "FeatureCollection", "features": [
                  {"type": "Feature", "properties": {"code": "a", "name": "n"}, "geometry": {"type": "Point"}},
                  {"type": "Feature", "properties": {"code": "b", "name": "m", "n": 1}, "geometry": null}]}
                """#, columns: "code,name", stored: "a,n\nb,m\n"),
        Case(
            name: "deep.json",
            text: #"[{"code": "a", "x": {"y": {"price": "1,50 €", "code": "z"}}}, {"x": {"y": {"price": "2,5"}}}]"#,
            columns: "code,price", stored: "a,1.5\nNULL,2.5\n"),
        Case(
            name: "unix.json", text: #"[{"name": "a", "day": 1700000000}, {"name": "b", "day": 1700000001}]"#,
            columns: "name,day", stored: "a,2023-11-14T22:13:20Z\nb,2023-11-14T22:13:21Z\n"),
        Case(
            name: "dates.csv", text: "name,day\na,13/02/2024\nb,2024-01-05\nc,14/02/2024\n", columns: "name,day",
            stored: "a,2024-02-13T00:00:00Z\nb,2024-01-05T00:00:00Z\nc,2024-02-14T00:00:00Z\n"),
        Case(
            name: "inches.tsv", text: "name\tcode\na\t6\" pipe\nb\t\"x\" y\n", columns: "name,code",
            stored: "a,\"6\"\" pipe\"\nb,\"\"\"x\"\" y\"\n"),
        Case(
            name: "similar.csv", text: "name;prise\na;1,5\nb;2,5\n", columns: "name,price", stored: "a,1.5\nb,2.5\n"),
        Case(name: "records", text: "[{\"name\": \"a\"}]", columns: "name", stored: "a\n"),
    ]

    @Test("The printed command imports the file", arguments: cases)
    func commands(_ example: Case) async throws {
        let result = try await inspect(example.text, as: example.name)
        #expect(result.code == 0, "\(result.output)\(result.messages)")
        let command = try #require(result.output.split(separator: "\n").last { $0.hasPrefix("granary import") })
        let words = Array(ImportHelpLongTests.words(String(command)).dropFirst())
        let imported = await run.run(words)
        #expect(imported.code == 0, "\(command)\n\(imported.messages)")
        #expect(
            try run.csv("S.sqlite", nil, example.columns, null: "NULL") == "\(example.columns)\n\(example.stored)",
            "\(command)")
    }

    @Test("An apostrophe around one text is a doubt, around most or with doubled ones a quote")
    func apostrophes() async throws {
        let one = try await inspect("code;name\nc1;Ann\nc2;'quoted'\nc3;b\n", as: "a.csv")
        #expect(one.code == 1 && one.output.contains("undecided: 1 field is in apostrophes"), "\(one.output)")
        let command = try #require(one.output.split(separator: "\n").last)
        #expect(!command.contains("--quote"))
        let all = try await inspect("code;name\n'c1';'Ann'\n'c2';'Bo'\n", as: "a.csv")
        #expect(all.code == 0 && all.output.contains("--quote"), "\(all.output)")
        let doubled = try await inspect("code;name\nc1;Ann\nc2;'O''Neill'\nc3;b\n", as: "a.csv")
        #expect(doubled.code == 0 && doubled.output.contains("--quote"), "\(doubled.output)")
    }

    @Test("Letters with digits are names of columns", arguments: ["Q1,Q2,Q3,Q4\n5,6,7,8\n", "x1,x2\n5,6\n"])
    func headers(_ text: String) async throws {
        _ = try run.folder.write(text, to: "a.csv")
        let result = await run.run("inspect", "@a.csv")
        #expect(result.code == 0 && result.output.contains("header:    the first row"), "\(result.output)")
    }

    @Test("A row of values is no header, and the columns get names")
    func noHeader() async throws {
        _ = try run.folder.write("a,5,2024-01-01\nname,6,2024-01-02\n", to: "a.csv")
        let plain = await run.run("inspect", "@a.csv")
        #expect(
            plain.code == 1 && plain.output.contains("--no-header --columns column1,column2,column3"), "\(plain.output)"
        )
        #expect(plain.output.contains("if the first row has the names"), "\(plain.output)")
        // The first value has the name of a property.
        let modelled = try await inspect("name,5,2024-01-01\nb,6,2024-01-02\n", as: "a.csv")
        #expect(modelled.code == 1 && modelled.output.contains("--columns name,price,count"), "\(modelled.output)")
    }

    @Test("Malformed records that no dialect reads are said, with exit code 1")
    func malformed() async throws {
        let result = try await inspect("name,code\na,\"x\"y\nb,\"z\"\n", as: "a.csv")
        #expect(result.code == 1 && result.output.contains("An import refuses the file"), "\(result.output)")
        let plan = try await inspect("name,code\na,\"x\"y\nb,\"z\"\n", as: "a.csv", ["--plan"])
        #expect(plan.code == 1 && plan.messages.contains("1 of 2 records are malformed"), "\(plan.messages)")
    }

    @Test("A mark and nothing is a doubt, unless another word is NULL")
    func marks() async throws {
        let doubt = try await inspect("name,paid\na,x\nb,\n", as: "a.csv")
        #expect(doubt.code == 1 && doubt.output.contains("or  : --null NULL --true x --false ''"), "\(doubt.output)")
        let plan = try await inspect("name,paid\na,x\nb,\nc,NULL\n", as: "a.csv", ["--plan"])
        #expect(plan.code == 0, "\(plan.output)\(plan.messages)")
        _ = try run.folder.write(plan.output, to: "plan.yaml")
        let seeded = await run.run("seed", "@plan.yaml")
        #expect(seeded.code == 0, "\(plan.output)\n\(seeded.messages)")
        #expect(
            try run.csv("S.sqlite", nil, "name,paid", null: "NULL") == "name,paid\na,true\nb,false\nc,NULL\n",
            "\(plan.output)")
    }

    @Test("Without any known name, likely columns are mapped, and values are described")
    func unknownNames() async throws {
        let result = try await inspect("Titel;Tag;Betrag\na;03.02.2026;x\nb;14.02.2026;y\n", as: "a.csv")
        #expect(result.code == 1 && result.output.contains("no column has the name of a property"), "\(result.output)")
        #expect(result.output.contains("--map Tag=day") && result.output.contains("--date-format dd.MM.yyyy"))
    }

    @Test("Files that are no data are named, whatever their extension")
    func otherFiles() async throws {
        _ = try run.folder.write("PK\u{3}\u{4}", to: "a.csv")
        _ = try run.folder.write("%PDF-1.4\n", to: "a.dat")
        for name in ["@a.csv", "@a.dat"] {
            let kind = name == "@a.csv" ? "perhaps an Excel workbook" : "a PDF document"
            let inspected = await run.run("inspect", name)
            #expect(inspected.code == 65 && inspected.messages.contains(kind), "\(inspected.messages)")
            let imported = await run.run(
                "import", name, "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "Order")
            #expect(imported.code == 65 && imported.messages.contains(kind), "\(imported.messages)")
        }
        let zeros = try await inspect(String(repeating: "\u{0}", count: 5_000), as: "z.csv")
        #expect(zeros.code == 65 && zeros.messages.contains("binary data"), "\(zeros.messages)")
    }

    @Test("U+0000 in a header needs an option of an import")
    func nul() async throws {
        _ = try run.folder.write("name,co\u{0}de\na,b\n", to: "b.csv")
        let result = await run.run("inspect", "@b.csv")
        #expect(result.output.contains("--allow-nul") && result.code == 0, "\(result.output)\(result.messages)")
        // No shell can pass the name, but a plan can.
        let plan = try await inspect("name,co\u{0}de\na,b\n", as: "a.csv", ["--plan"])
        _ = try run.folder.write(plan.output, to: "plan.yaml")
        let seeded = await run.run("seed", "@plan.yaml")
        #expect(seeded.code == 0, "\(plan.output)\n\(seeded.messages)")
        #expect(try run.csv("S.sqlite", nil, "name,code", null: "NULL") == "name,code\na,b\n", "\(plan.output)")
    }

    @Test("Two kinds of records can be read together, and a document that names its entities without --entity")
    func severalEntities() async throws {
        _ = try run.folder.write(
            #"{"a": [{"n": 1}, {"n": 2}], "b": [{"m": 1}, {"m": 2}]}"#, to: "two.json")
        let two = await run.run("inspect", "@two.json")
        #expect(two.code == 1 && two.output.contains("--records A=a --records B=b"), "\(two.output)")
        _ = try run.folder.write(#"{"entities": {"A": [{"n": 1}], "B": []}}"#, to: "doc.json")
        let document = await run.run("inspect", "@doc.json")
        #expect(document.code == 0 && !document.output.contains("--entity"), "\(document.output)")
    }
}
