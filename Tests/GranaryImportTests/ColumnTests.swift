import GranaryBase
import GranaryFormats
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Which column is for which property.
@Suite struct ColumnTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Person",
            [
                .attribute("fullName", .string), .attribute("age", .integer16), .attribute("AGE2", .integer16),
                .attribute("age2", .integer16), .attribute("seen", .date, .transient),
                .attribute("now", .date, .derived("now()")), .toOne("boss", "Person", inverse: nil),
            ]),
        EntityDescription("Other", [.attribute("title", .string), .attribute("age", .integer16)]),
    ])

    @Test(arguments: [
        ("fullName", "fullName"), ("FULLNAME", "fullName"), ("full_name", "fullName"), ("Full-Name", "fullName"),
        ("full name", "fullName"), ("age2", "age2"), ("AGE2", "AGE2"),
    ])
    func `A column finds its property when only one fits`(_ column: String, _ property: String) throws {
        let value = property == "fullName" ? "Ann" : "7"
        let run = try TestImport.csv("\(column)\n\(value)\n", "Person", Self.model)
        #expect(try run.csv("Person", columns: [property]) == "\(property)\n\(value)\n")
    }

    @Test(arguments: [
        ("Age2\n1\n", "1:1 header.unknown -"),  // two fit
        ("fullNam\nAnn\n", "1:1 header.unknown -"), ("seen\n\n", "1:1 header.unknown seen"),
        ("now\n\n", "1:1 header.unknown now"), ("fullName,full_name\na,b\n", "1:10 header.duplicate fullName"),
        ("\n\nfullName,\"agge\"\na,1\n", "3:10 header.unknown -"),
        ("\na\n", "2:1 header.unknown -"),
    ])
    func `Other columns are refused, once`(_ text: String, _ problem: String) throws {
        let run = try TestImport.csv(text, "Person", Self.model)
        #expect(run.problems == [problem])
        #expect(run.report.isRefused && run.report.read == 0)
    }

    @Test func `The hint names what was probably meant`() throws {
        let run = try TestImport.csv("fulName\nAnn\n", "Person", Self.model)
        #expect(run.messages.first?.contains("did you mean \"fullName\"?") == true)
    }

    @Test func `Columns are mapped, left alone, and constants added`() throws {
        let run = try TestImport.csv("N,x\nAnn,1\nBob,2\n", "Person", Self.model) {
            $0.columnMap = ["N": "fullName"]
            $0.ignoredColumns = ["x"]
            $0.constants = ["age": "30"]
        }
        #expect(try run.csv("Person", columns: ["fullName", "age"]) == "fullName,age\nAnn,30\nBob,30\n")
    }

    @Test func `A constant is read as a field would be`() throws {
        let run = try TestImport.csv("fullName\nAnn\nBob\n", "Person", Self.model) { $0.constants = ["age": "many"] }
        #expect(run.problems == ["2:1 value.syntax age", "3:1 value.syntax age"])
    }

    @Test func `A mapped column that is nowhere is missed`() throws {
        let run = try TestImport.csv("fullName\nAnn\n", "Person", Self.model) { $0.columnMap = ["nam": "age"] }
        #expect(run.problems == ["1:1 header.missing -"])
        let json = try TestImport.json("[{\"fullName\":\"Ann\"}]", "Person", Self.model) { $0.columnMap = ["n": "age"] }
        #expect(json.problems == ["1:1 header.missing -"])
    }

    @Test func `Options that do not fit the model are usage`() throws {
        let changes: [(inout ImportOptions) -> Void] = [
            { $0.columnMap = ["fullName": "nobody"] }, { $0.constants = ["nobody": ""] },
            { $0.constants = ["fullName": "x"] }, { $0.lookups = ["nobody": .identifier] },
            { $0.lookups = ["boss": .attribute("nobody")] },
            {
                $0.decimalSeparator = "x"; $0.groupSeparator = "x"
            },
            { $0.dateFormats = [.pattern("QQQ")] },
        ]
        for (number, change) in changes.enumerated() {
            let error = #expect(throws: GranaryError.self, "\(number)") {
                try TestImport.csv("fullName\nAnn\n", "Person", Self.model, change)
            }
            #expect(error?.code == .usage, "\(number)")
        }
    }

    @Test func `Required columns are missed before the rows are read`() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Thing",
                [
                    .attribute("name", .string, .required), .attribute("kind", .string, .required, .defaultValue("x")),
                    .toOne("owner", "Thing", inverse: nil, .required), .attribute("note", .string),
                ])
        ])
        let run = try TestImport.csv("note\na\nb\n", "Thing", model)
        #expect(run.problems == ["1:1 header.missing name", "1:1 header.missing owner"])
    }

    @Test func `A document's column belongs to the entities that have it`() throws {
        let text = """
            {"entities":{"Other":[{"title":"a","age":1}],"Person":[{"fullName":"Ann","age":2},{"age":3}]}}
            """
        let run = try TestImport.json(text, nil, Self.model)
        #expect(run.report.ledger == "read 3 = created 3 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        let wrong = try TestImport.json(
            "{\"entities\":{\"Other\":[{\"title\":\"a\"}],\"Person\":[{\"age\":2},{\"title\":\"b\"},{\"title\":\"c\"}]}}",
            nil, Self.model)
        // Every record that has the member says so: none goes in without it.
        #expect(wrong.problems == ["1:67 header.unknown -", "1:81 header.unknown -"])
        #expect(wrong.report.ledger == "read 4 = created 0 + updated 0 + unchanged 0 + skipped 2 + rejected 2")
        let twice = try TestImport.json("[{\"fullName\":\"a\",\"FULL_NAME\":\"b\"}]", "Person", Self.model)
        #expect(twice.report.ledger == "read 1 = created 0 + updated 0 + unchanged 0 + skipped 0 + rejected 1")
    }

    @Test func `A document's entity has to be the one that is asked for`() throws {
        let text = "{\"entities\":{\"Other\":[{\"title\":\"a\"}]}}"
        let run = try TestImport.json(text, "Person", Self.model)
        #expect(run.problems == ["1:23 entity.unknown -"])
        #expect(run.report.ledger == "read 1 = created 0 + updated 0 + unchanged 0 + skipped 0 + rejected 1")
        #expect(try TestImport.json(text, "Other", Self.model).report.created == 1)
    }

    @Test(arguments: [("5", 1), ("[\"Person/p1\"]", 1), ("[]", 1), ("true", 1), ("null", 0), ("\"\"", 0)])
    func `An identifier is one text`(_ value: String, _ problems: Int) throws {
        let run = try TestImport.json("[{\"$id\":\(value)}]", "Person", Self.model)
        #expect(run.report.diagnostics.map(\.code) == Array(repeating: .valueSyntax, count: problems))
    }

    @Test func `Constants reach records without members`() throws {
        let run = try TestImport.json("[{},{}]", "Person", Self.model) { $0.constants = ["age": "5"] }
        #expect(try run.csv("Person", columns: ["age"]) == "age\n5\n5\n")
        let text = "{\"entities\":{\"Other\":[{}],\"Person\":[{}]}}"
        let two = try TestImport.json(text, nil, Self.model) { $0.constants = ["fullName": "x", "age": "5"] }
        #expect(try two.csv("Other", columns: ["title", "age"]) == "title,age\n,5\n")
        #expect(try two.csv("Person", columns: ["fullName", "age"]) == "fullName,age\nx,5\n")
    }
}
