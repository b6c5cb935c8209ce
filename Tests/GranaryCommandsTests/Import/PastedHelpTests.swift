import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

/// Help lines are pasted into a shell: the named problem is gone then, or another one has its place.
struct PastedHelpTests {
    /// A delimiter with a line before the header, and a name that needs quoting.
    static let cases = PastedHelp.cases.filter {
        [
            "--skip-rows 1 --delimiter tab", "--ignore 't$(id)'",
        ].contains($0.help)
    }

    @Test("The pasted help solves the problem, or another one is named", arguments: cases)
    func pasted(_ item: PastedHelp.Case) async throws { try await PastedHelp.check(item) }

    @Test("A file that is not UTF-8 gets the help of the usual encoding")
    func encoding() async throws {
        let run = try CommandRun()
        try run.writeModel(PastedHelp.model)
        _ = try run.folder.write(Data("one\nB".utf8) + Data([0xF6]) + Data("se\n".utf8), to: "in.csv")
        let command = ["import", "@in.csv", "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "Thing"]
        let refused = await run.run(command)
        #expect(refused.messages.contains("0xF6 is not valid UTF-8; Excel usually writes windows-1252"))
        #expect(refused.lines.contains("  help: --encoding windows-1252"), "\(refused.messages)")
        #expect(await run.run(command + ["--encoding", "windows-1252"]).code == 0)
    }

    @Test("The help for rows of an unknown entity names the entities")
    func entity() async throws {
        let run = try CommandRun()
        try run.writeModel(PastedHelp.model)
        _ = try run.folder.write("{\"one\":\"a\"}\n", to: "rows.ndjson")
        let refused = await run.run("import", "@rows.ndjson", "--model", "@Model.json", "--store", "@S.sqlite")
        #expect(refused.messages.contains("which entity are these rows?"), "\(refused.messages)")
        #expect(refused.lines.contains("  help: --entity Owner or --entity Thing"), "\(refused.messages)")
    }

    @Test("Separators that are the same are wrong usage")
    func sameSeparators() async throws {
        let run = try CommandRun()
        try run.writeModel(PastedHelp.model)
        _ = try run.folder.write("price\n1,5\n", to: "in.csv")
        let refused = await run.run(
            "import", "@in.csv", "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "Thing",
            "--decimal-separator", "U+00A0", "--group-separator", "\u{A0}")
        #expect(refused.code == 64 && refused.messages.contains("the decimal and group separators must differ"))
    }

    @Test("A rejected number does not have the form that the message expects", arguments: [" ", "\u{202F}"])
    func lookalikes(_ group: String) async throws {
        let run = try CommandRun()
        try run.writeModel(PastedHelp.model)
        _ = try run.folder.write("price\n\"1\u{A0}234,56\"\n", to: "in.csv")
        let refused = await run.run(
            "import", "@in.csv", "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "Thing",
            "--decimal-separator", ",", "--group-separator", group)
        #expect(refused.messages.contains("U+00A0, a no-break space"), "\(refused.messages)")
        #expect(!refused.messages.contains("234,5 or"), "\(refused.messages)")
    }
}

/// All cases: each is two or more imports, which take a third of a second each.
struct PastedHelpLongTests {
    @Test("The pasted help solves the problem, or another one is named", arguments: PastedHelp.cases)
    func pasted(_ item: PastedHelp.Case) async throws { try await PastedHelp.check(item) }
}

enum PastedHelp {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Thing",
            [
                .attribute("one", .string), .attribute("two", .string), .attribute("count", .integer64),
                .attribute("price", .decimal), .attribute("good", .boolean), .attribute("day", .date),
                .attribute("data", .binary), .attribute("size", .integer16, .required, .defaultValue(3)),
                .toOne("owner", "Owner", inverse: nil),
            ]),
        EntityDescription("Owner", [.attribute("name", .string)], unique: [["name"]]),
    ])

    /// A failing import: the text, the name of its file, and options that are given already.
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        var file = "in.csv"
        var given: [String] = []
        /// An option that the help has.
        let help: String

        init(_ text: String, file: String = "in.csv", given: [String] = [], _ help: String) {
            (self.text, self.file, self.given, self.help) = (text, file, given, help)
        }

        var testDescription: String { "\(text.prefix(40)) \(given.joined(separator: " "))".debugDescription }
    }

    static let cases = [
        // Delimiters, quotes and lines before the header.
        Case("\"one\";\"two\"\n\"a\";\"b\"\n", "--delimiter ';'"), Case("one;\"two\"\na;b\n", "--delimiter ';'"),
        Case("\"one\"\t\"two\"\n\"a\"\t\"b\"\n", "--delimiter tab"), Case("one|two\na|b\n", "--delimiter '|'"),
        Case("'one','two'\n'a','b'\n", "--quote"), Case("one,\na,b\n", "--ignore ''"),
        // Names of columns that need quoting.
        Case("one,two\u{C}\na,b\n", "--map \"$(printf 'two\\014=two')\""),
        Case("one,tw'o\na,b\n", "--map 'tw'\\''o=two'"), Case("one,wtwo\na,b\n", "--map wtwo=two"),
        Case("one,t$(id)\na,b\n", "--ignore 't$(id)'"), Case("one,\"`x` \\ \"\"\"\"\"\na,b\n", "--ignore"),
        Case("one,-x\na,b\n", "--ignore=-x"), Case("one,\u{7}-%d\\n'\na,b\n", "--ignore \"$(printf"),
        Case("one,\"a\nb\"\na,b\n", "--ignore \"$(printf"), Case("one,\u{202E}x\na,b\n", "--ignore \"$(printf"),
        Case("one,t_w_o,two_\na,b,c\n", "--ignore two_"), Case("one,t_w_o,tow\na,b,c\n", "--ignore tow"),
        Case("1,2,3,4,5,6,7,8,9,10\n", given: ["--no-header"], "--ignore column9"),
        // Records inside a document.
        Case(#"{"rows":[{"one":"a"}]}"#, file: "in.json", "--records rows"),
        Case(#"{"body":{"items":[{"one":"a"}],"n":1}}"#, file: "in.json", "--records body.items"),
        Case(#"{"x":{"one":"a"},"y":{"one":"b"}}"#, file: "in.json", "--record-key key --ignore key"),
        Case(
            #"[{"one":"a","more":{"x":1,"y":2}}]"#, file: "in.json", given: ["--map", "more.x=count"], "--ignore more.y"
        ),
        // Values.
        Case("price\n\"1 234,5\"\n", "--group-separator ' '"),
        Case("price\n\"1\u{A0}234,56\"\n", "--decimal-separator , --group-separator U+00A0"),
        Case(
            "price\n\"1\u{A0}234,56\"\n", given: ["--decimal-separator", ",", "--group-separator", " "],
            "--group-separator U+00A0"),
        Case("price\n\"1\u{202F}234,56\"\n", given: ["--decimal-separator", ","], "--group-separator U+202F"),
        Case("price\n1\u{2019}234.56\n", "--group-separator U+2019"),
        Case("price\n1\u{2009}234.56\n", "--group-separator U+2009"),
        Case("price\n1\u{2007}234.56\n", given: ["--decimal-separator", "."], "--group-separator U+2007"),
        Case("price\n1\u{A0}234.56\n", given: ["--group-separator", "u+2009"], "--group-separator U+00A0"),
        Case("price\n1.5\n", given: ["--decimal-separator", ","], "--decimal-separator ."),
        Case("count\n12.00\n", "--allow-zero-fraction"),
        Case("{\"count\":9007199254740993.0}\n", file: "in.ndjson", "--allow-zero-fraction"),
        Case("[{\"nix\":1}]\n", file: "in.json", "--ignore nix"),
        Case("{\"one\":\"a\",\"owner\":{\"name\":\"b\",\"x y\":1}}\n", file: "in.ndjson", "--ignore"),
        Case("good\nJa\n", "--true Ja"), Case("day\n29.07.2026\n", "--date-format"),
        Case("data\n4772616eff\n", "--binary hex"),
        Case("size\n\"\"\n", "--empty-is-null"),
        Case("count\nN/A\n", "--null '' --null N/A"), Case("one\n\u{0}\n", "--allow-nul"),
    ]

    /// Imports the text, and again with each help that the refusal has.
    static func check(_ item: Case) async throws {
        let run = try CommandRun()
        try run.writeModel(model)
        _ = try run.folder.write(item.text, to: item.file)
        let command = [
            "import", "@" + item.file, "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "Thing",
        ]
        let refused = await run.run(command + item.given)
        let helps = refused.lines.filter { $0.hasPrefix("  help: ") }.map { String($0.dropFirst(8)) }
        #expect(refused.code == 65 && helps.contains { $0.contains(item.help) }, "\(refused.messages)")
        for help in Set(helps.flatMap { $0.components(separatedBy: " or ") }) {
            let again = await run.run(command + item.given + (try ShellWords.split(help)) + ["--dry-run"])
            #expect([0, 65].contains(again.code), "\(help): \(again.messages)")
            #expect(!again.messages.contains("there is no column"), "\(help): \(again.messages)")
            #expect(!again.messages.contains("Unknown option"), "\(help): \(again.messages)")
            // The line about the problem is another one.
            let named = Set(refused.lines.filter { $0.contains(": error: ") })
            let left = Set(again.lines.filter { $0.contains(": error: ") })
            #expect(again.code == 0 || !named.subtracting(left).isEmpty, "\(help): \(again.messages)")
        }
    }
}
