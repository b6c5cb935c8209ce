import Foundation
import GranaryModel
import TestSupport
import Testing

/// The `help:` lines: each names an option that accepts the rejected value, and works as printed.
struct ImportHelpLongTests {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Thing",
            [
                .attribute("key", .integer32), .attribute("name", .string), .attribute("price", .decimal),
                .attribute("weight", .double), .attribute("day", .date), .attribute("good", .boolean),
                .attribute("data", .binary), .attribute("size", .integer16, .required, .defaultValue(3)),
            ], unique: [["key"]])
    ])

    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeModel(Self.model)
    }

    private func importing(_ text: String, _ more: [String] = [], file: String = "in.csv") async throws
        -> CommandRun.Result
    {
        _ = try run.folder.write(text, to: file)
        return await run.run(
            ["import", "@\(file)", "--model", "@Model.json", "--store", "@S.sqlite", "--entity", "Thing"] + more)
    }

    /// The words of a help line, as a shell takes them.
    static func words(_ help: String) -> [String] {
        var words: [String] = []
        var word = ""
        var mark: Character?
        var isOpen = false
        var isEscaped = false
        for character in help {
            if let open = mark {
                if character == open { mark = nil } else { word.append(character) }
            } else if isEscaped {
                word.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "'" || character == "\"" {
                mark = character
                isOpen = true
            } else if character == " " {
                if isOpen || !word.isEmpty { words.append(word) }
                (word, isOpen) = ("", false)
            } else {
                word.append(character)
            }
        }
        if isOpen || !word.isEmpty { words.append(word) }
        return words
    }

    /// Texts, and the help of their import.
    static let cases: [(String, String)] = [
        ("name;key\na;1\n", "--delimiter ';'"), ("name\tkey\na\t1\n", "--delimiter tab"),
        ("name|key\na|1\n", "--delimiter '|'"),
        ("'name','key'\n'a','1'\n", "--quote \"'\""), ("name,key\na,$5\n", "--currency '$'"),
        ("name,key\na,5 €\n", "--currency €"),
        ("name,price\na,\"1.234,50 €\"\n", "--currency € --decimal-separator , --group-separator ."),
        ("name,nmae\na,b\n", "--ignore nmae"), ("nmae,key\na,1\n", "--map nmae=name"),
        ("Full name,key\na,1\n", "--ignore 'Full name'"), ("name,\na,b\n", "--ignore ''"),
        ("name,day\na,29.07.2026\n", "--date-format dd.MM.yyyy --time-zone UTC"),
        ("name,day\na,7/29/2026 2:05 PM\n", "--date-format 'M/d/yyyy h:mm a' --time-zone UTC"),
        ("name,day\na,\"Jul 29, 2026\"\n", "--date-format 'MMM d, yyyy' --time-zone UTC"),
        ("name,day\na,1785328200\n", "--date-format unix"),
        ("name,day\na,1785328200000\n", "--date-format unix-ms"),
        ("name,day\na,2026-07-29\n", "--time-zone UTC"), ("name,day\na,2026-07-29 14:30\n", "--time-zone UTC"),
        ("name,price\na,\"1,5\"\n", "--decimal-separator ,"), ("name,key\na,\"1,000\"\n", "--group-separator ,"),
        ("name,price\na,\"1.234,56\"\n", "--decimal-separator , --group-separator ."),
        ("name,weight\na,\"1,234.5\"\n", "--group-separator ,"),
        ("name,weight\na,1 234.5\n", "--group-separator ' '"),
        ("name,data\na,4772616eff\n", "--binary hex"), ("name,key\na,\"\"\n", "--empty-is-null"),
        ("name,key\na, 7\n", "--trim"), ("name,key\na,N/A\n", "--null '' --null N/A"),
        ("name,key\na,\"NULL\"\n", "--null-quoted --null '' --null NULL"),
        ("name,good\na,Ja\nb,Nein\n", "--true Ja --false Nein"),
        ("name,price\na,1.23456789012345678\n", "--allow-rounding"), ("name,size\na,\n", "--null-is-default"),
        ("name,size\na,\"\"\n", "--empty-is-null --null-is-default"),
        ("name,size\na,N/A\n", "--null '' --null N/A --null-is-default"),
        ("name,key\na,--\n", "--null '' --null=--"),
        ("-x,key\na,1\n", "--ignore=-x"),
        ("[{\"name\": \"a\"}]\n", "--format json"), ("{\"name\": \"a\"}\n", "--format ndjson"),
    ]

    @Test(
        "An import with the options of the help line succeeds",
        arguments: cases)
    func followed(_ text: String, _ help: String) async throws {
        let refused = try await importing(text)
        #expect(refused.code == 65, "\(refused.messages)")
        #expect(refused.lines.contains("  help: \(help)"), "\(refused.messages)")
        let mended = try await importing(text, Self.words(help))
        #expect(mended.code == 0, "\(help): \(mended.messages)")
    }

    @Test("A plan with the keys of the help succeeds", arguments: cases)
    func followedInAPlan(_ text: String, _ help: String) async throws {
        _ = try run.folder.write(text, to: "in.csv")
        func seed(_ keys: String) async throws -> CommandRun.Result {
            let plan = "model: Model.json\nstore: S.sqlite\nimports:\n  - {entity: Thing, file: in.csv\(keys)}\n"
            _ = try run.folder.write(plan, to: "plan.yaml")
            return await run.run("seed", "@plan.yaml")
        }
        let refused = try await seed("")
        #expect(refused.code == 65 && !refused.messages.contains("help: --"), "\(refused.messages)")
        let line = refused.lines.first { $0.hasPrefix("  help: ") }?.dropFirst(8)
        let keys = try #require(line.map { String($0) }, "\(refused.messages)")
        let mended = try await seed(", " + keys)
        #expect(mended.code == 0, "\(keys): \(mended.messages)")
    }

    @Test(
        "If a value can be read in two ways, the help names both",
        arguments: [
            ("name,day\na,03/04/2026\n", "--date-format dd/MM/yyyy or --date-format MM/dd/yyyy"),
            ("name,weight\na,\"1,000\"\n", "--decimal-separator , or --group-separator ,"),
        ])
    func alternatives(_ text: String, _ help: String) async throws {
        let refused = try await importing(text)
        #expect(refused.lines.contains("  help: \(help)"), "\(refused.messages)")
    }

    @Test(
        "The help depends on the options that were given",
        arguments: [
            (["--date-format", "dd.MM.yyyy"], "31.12.2020", "--time-zone UTC"),
            (["--time-zone", "Europe/Berlin"], "2026-03-29T02:30:00", "--dst earlier or --dst later"),
            (["--time-zone", "Europe/Berlin"], "2026-10-25T02:30:00", "--dst earlier or --dst later"),
            (["--time-zone", "UTC"], "31.12.2020", "--date-format dd.MM.yyyy"),
        ])
    func further(_ given: [String], _ value: String, _ help: String) async throws {
        let text = "name,day\na,\(value)\n"
        let refused = try await importing(text, given)
        #expect(refused.code == 65 && refused.lines.contains("  help: \(help)"), "\(refused.messages)")
        let first = Self.words(String(help.split(separator: " or ")[0]))
        #expect(try await importing(text, given + first).code == 0)
    }

    @Test("The help does not suggest NULL for a required attribute without a default")
    func required() async throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Thing", [.attribute("key", .integer32, .required), .attribute("name", .string)])
        ])
        try FileManager.default.removeItem(atPath: run.path("Model.json"))
        try run.writeModel(model)
        for value in ["\"\"", "N/A", "\"N/A\"", " "] {
            let refused = try await importing("key,name\n\(value),a\n")
            #expect(refused.code == 65 && !refused.messages.contains("help: "), "\(value): \(refused.messages)")
        }
    }

    @Test("No help drops a column for one value", arguments: ["abc", "1.5", "1e3", "99999999999"])
    func oneValue(_ value: String) async throws {
        let refused = try await importing("name,key\na,\(value)\n")
        #expect(refused.code == 65 && !refused.messages.contains("help: "), "\(refused.messages)")
    }

    @Test("The help for a file without a header names the entity's attributes")
    func headerless() async throws {
        let refused = try await importing("1,a\n2,b\n", ["--no-header"])
        #expect(refused.code == 65 && refused.lines.contains("  help: --columns key,name"), "\(refused.messages)")
        #expect(try await importing("1,a\n2,b\n", ["--no-header", "--columns", "key,name"]).code == 0)
    }

    @Test("The help for an existing object names --on-conflict")
    func existing() async throws {
        #expect(try await importing("key,name\n1,a\n").code == 0)
        let refused = try await importing("key,name\n1,b\n")
        #expect(refused.code == 65 && refused.lines.contains("  help: --on-conflict update"), "\(refused.messages)")
        #expect(try await importing("key,name\n1,b\n", ["--on-conflict", "update"]).code == 0)
    }

    @Test("In JSON output, help is a key of the diagnostic")
    func json() async throws {
        let refused = try await importing("name,key\na,12.00\n", ["--diagnostics", "json", "--report", "@r.json"])
        #expect(refused.messages.contains(#""help":"--allow-zero-fraction""#), "\(refused.messages)")
        #expect(try run.text("r.json").contains(#""help" : "--allow-zero-fraction""#))
    }

    @Test("Messages about property lists name the elements of property lists")
    func propertyList() async throws {
        let list = """
            <?xml version="1.0"?><plist version="1.0"><array><dict><key>name</key><integer>1</integer></dict></array></plist>
            """
        let refused = try await importing(list, file: "in.plist")
        #expect(refused.messages.contains("a property list has in <string>") && !refused.messages.contains("JSON"))
    }

    @Test("A value with too many digits is shown as it was found")
    func precision() async throws {
        let refused = try await importing("name,price\na,001.2345678901234567890\n")
        #expect(refused.messages.contains("\"001.2345678901234567890\"") || refused.messages.contains("leading zero"))
        let other = try await importing("name,price\na,1.2345678901234567890\n")
        #expect(other.messages.contains("\"1.2345678901234567890\" has more digits"), "\(other.messages)")
    }
}
