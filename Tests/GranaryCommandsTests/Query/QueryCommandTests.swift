import GranaryBase
import GranaryModel
import Testing

@testable import GranaryCommands

/// `granary query` in this process: tables, counts and messages. The other formats go to the process's own output, so
/// that tests of the binary cover them.
struct QueryCommandTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeStore()
    }

    private func query(_ words: String...) async -> CommandRun.Result {
        await run.run(["query", "@Seed.sqlite", "--model", "@Model.json"] + words)
    }

    @Test("A table has a header, aligned columns, and the number of objects on standard error")
    func table() async {
        let result = await query("Patient", "--format", "table")
        #expect(result.code == 0 && result.messages == "2 objects\n")
        #expect(
            result.output == """
                $id          age  name  injury
                ----------  ----  ----  --------
                Patient/p1    44  Ann   Fracture
                Patient/p2  NULL  Bob   NULL

                """)
    }

    @Test(
        "The value of a Transformable attribute is refused in conditions, and NULL is found",
        arguments: [
            "tags CONTAINS \"swift\"", "\"swift\" IN tags", "ANY tags == \"swift\"", "tags[0] == \"swift\"",
            "tags.@count > 2", "name == \"x\" AND NOT tags == \"swift\"",
        ])
    func transformable(_ condition: String) async throws {
        let run = try CommandRun()
        try run.writeModel(
            ManagedObjectModel(entities: [
                EntityDescription("Note", [.attribute("name", .string), .attribute("tags", .transformable)])
            ]))
        #expect(try await run.importing("name\nx\n", as: "Note.csv", entity: "Note").code == 0)
        let refused = await run.run("query", "@S.sqlite", "Note WHERE " + condition)
        #expect(
            refused.code == 64 && refused.messages.contains("\"tags\" is a Transformable attribute"),
            "\(refused.messages)")
        let exported = await run.run(
            "export", "@S.sqlite", "--entity", "Note", "--where", condition, "--format", "csv", "--output", "-")
        #expect(exported.code == 64, "\(exported.messages)")
        let found = await run.run("query", "@S.sqlite", "Note WHERE tags == nil AND NOT nil != tags", "--count")
        #expect(found.code == 0 && found.output == "1\n", "\(found.messages)")
    }

    @Test("--where needs a query that is an entity alone")
    func twoConditions() async {
        let result = await query("Patient WHERE age > 1", "--where", "age > 40")
        #expect(result.code == 64 && result.messages.contains("--where needs a query that is an entity alone"))
    }

    @Test(
        "What the author of a condition probably meant is in the message",
        arguments: [
            ("name = Foo", #"a text needs quotes: "Foo""#), ("nme = 'x'", #"did you mean "name"?"#),
            ("injury = 'Burn'", "compare an attribute: injury.name"),
            ("injury = 3", "compare an attribute: injury.key"),
            ("age >", "the condition is incomplete"), ("age IS NULL", "write == nil"),
        ])
    func hints(_ condition: String, _ hint: String) async {
        let result = await query("Patient", "--where", condition)
        #expect(result.code == 64 && result.messages.contains(hint), "\(result.messages)")
    }

    @Test(
        "Queries and their tables",
        arguments: [
            (["Patient WHERE age > 40", "--columns", "name"], "name\n----\nAnn\n", "1 object\n"),
            (["  Patient\twhere(age == nil)", "--columns", "name"], "name\n----\nBob\n", "1 object\n"),
            (["Patient", "--columns", "name", "--sort", "name:desc"], "name\n----\nBob\nAnn\n", "2 objects\n"),
            (["Patient", "--columns", "name", "--offset", "1", "--limit", "5"], "name\n----\nBob\n", "1 object\n"),
            (["Patient", "--columns", "name", "--limit", "0"], "name\n----\n", "0 objects\n"),
            (
                ["Injury", "--columns", "name,patients.@count", "--sort", "patients.@count:desc"],
                "name      patients.@count\n--------  ---------------\nFracture                1\nBurn                    0\n",
                "2 objects\n"
            ),
            (
                ["Patient WHERE injury.key == 1", "--columns", "injury.name"], "injury.name\n-----------\nFracture\n",
                "1 object\n"
            ),
            (["Patient", "--where", "age > 40", "--columns", "name"], "name\n----\nAnn\n", "1 object\n"),
            (["Patient", "--columns", "age", "--null", "-"], "age\n---\n 44\n  -\n", "2 objects\n"),
        ])
    func tables(_ words: [String], _ output: String, _ messages: String) async {
        let result = await run.run(
            ["query", "@Seed.sqlite", "--model", "@Model.json", "--format", "table"] + words)
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.output == output)
        #expect(result.messages == messages)
    }

    @Test(
        "A count is a number alone",
        arguments: [
            (["Patient"], "2\n"), (["Patient WHERE age == nil"], "1\n"), (["Patient WHERE age > 99"], "0\n"),
            (["Patient", "--limit", "1"], "1\n"), (["Patient", "--offset", "5"], "0\n"),
            (["Patient WHERE injury.name == 'Fracture'"], "1\n"),
        ])
    func count(_ words: [String], _ output: String) async {
        let result = await run.run(["query", "@Seed.sqlite", "--model", "@Model.json", "--count"] + words)
        #expect(result.code == 0 && result.messages.isEmpty, "\(result.messages)")
        #expect(result.output == output)
    }

    @Test("On a terminal the result is a table that fits it")
    func terminal() throws {
        try run.execute("UPDATE ZPATIENT SET ZNAME = '患者患者患者患者' || ZNAME")
        let terminal = Terminal(isPresent: true, environment: [:], windowWidth: { 40 })
        let capture = CommandOutput.Capture(terminal: .none, dataTerminal: terminal)
        let words = ["query", run.path("Seed.sqlite"), "Patient", "--model", run.path("Model.json")]
        let code = CommandOutput.$current.withValue(capture.output) { GranaryMain.run(words) }
        #expect(code == 0, "\(capture.standardError)")
        let lines = capture.standardOutput.split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= 40 }, "\(capture.standardOutput)")
        #expect(lines[2].contains("…") && lines[3].hasSuffix("NULL"))
    }

    @Test(
        "Wrong queries",
        arguments: [
            (["Patient WHERE age > )"], "\n  age > )\n        ^\n"),
            (["Patint"], "did you mean \"Patient\"?"),
        ])
    func wrong(_ words: [String], _ message: String) async throws {
        let result = await run.run(["query", "@Seed.sqlite", "--model", "@Model.json"] + words)
        #expect(result.code == 64, "\(result.messages)")
        #expect(result.output.isEmpty)
        #expect(
            result.messages.hasPrefix("granary: error: ") && result.messages.contains(message), "\(result.messages)")
        #expect(try run.names == ["Model.json", "Seed.sqlite"])
    }

    @Test("A missing store is an unreadable input; a wrong predicate is reported before")
    func missing() async {
        #expect(await run.run("query", "@nix", "Patient").code == 66)
        #expect(await run.run("query", "@nix", "Patient WHERE (").code == 64)
    }

    @Test("A query cannot control the terminal")
    func escaping() async {
        let result = await query("Patient WHERE \u{1B}[31m == 'x\nread 9'")
        #expect(result.code == 64)
        #expect(!result.messages.contains("\u{1B}"))
        #expect(!result.lines.contains { $0.hasPrefix("read") || $0.hasPrefix("x") }, "\(result.messages)")
    }
}

struct QueryCommandLongTests {
    @Test(
        "Wrong queries",
        arguments: [
            (["Patient WHERE age > )"], "predicate, column 7"),
            (["Patint WHERE age > 1"], "did you mean \"Patient\"?"),
            (["Patient WHERE age > 1 AND injury.nam == 'x'"], "did you mean \"name\"?\n"),
            (["Patient WHERE name > 60"], "\n  name > 60\n  ^\n"),
            (["Patient WHERE"], "granary: error: predicate, column 1"),
            (["Patient", "--sort", "agee"], "did you mean \"age\"?"),
            (["Patient", "--limit", "-1"], "--limit"),
            (["Patient", "--columns", "nmae"], "did you mean \"name\"?"),
            (["Patient", "--columns", "injry.name"], "did you mean \"injury\"?"),
            (["Patient", "--columns", "name,"], "empty name"),
            (["Patient", "--count", "--format", "table"], "--count"),
            (["Patient", "--format", "json", "--null", "x"], "--null"),
            (["Patient WHERE agee > 60"], "did you mean \"age\"?\n  agee > 60\n  ^\n"),
            (["Patient age > 60"], "\n  Patient age > 60\n          ^\n"),
            ([""], "the query is empty"),
            (["Patient", "--sort", "age:down"], "asc or desc"),
            (["Patient", "--columns", "injury.nam"], "did you mean \"name\"?"),
            (["Patient", "--count", "--columns", "name"], "--count"),
        ])
    func wrong(_ words: [String], _ message: String) async throws {
        try await QueryCommandTests().wrong(words, message)
    }
}
