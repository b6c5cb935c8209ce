import Foundation
import GranaryBase
import GranaryContexts
import GranaryImport
import GranaryModel
import GranaryRecords
import Testing
@testable import SeedingTestSupport

/// Nested objects of which records have short and full forms, as the answers of web services do.
@Suite struct NestedMentionTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Book",
            [
                .attribute("number", .integer16), .toOne("author", "Author", inverse: "books"),
                .toOne("sequel", "Book", inverse: nil),
            ], unique: [["number"]]),
        EntityDescription(
            "Author",
            [
                .attribute("id", .integer16), .attribute("name", .string, .required), .attribute("email", .string),
                .toOne("company", "Company", inverse: nil), .toOne("address", "Address", inverse: nil),
                .toMany("tags", "Tag", inverse: "authors"), .toMany("books", "Book", inverse: "author"),
                .toMany("notes", "Note", inverse: "author"),
            ], unique: [["id"]]),
        EntityDescription("Note", [.attribute("text", .string), .toOne("author", "Author", inverse: "notes")]),
        EntityDescription("Company", [.attribute("id", .integer16), .attribute("city", .string)], unique: [["id"]]),
        EntityDescription("Address", [.attribute("street", .string)]),
        EntityDescription(
            "Tag",
            [
                .attribute("word", .string), .attribute("count", .integer16),
                .toMany("authors", "Author", inverse: "tags"),
            ],
            unique: [["word"]]),
    ])

    private static func records(_ authors: [String], extra: [Int: String] = [:]) -> String {
        let records = authors.enumerated().map {
            #"{"number":\#($0 + 1),"author":\#($1)\#(extra[$0].map { "," + $0 } ?? "")}"#
        }
        return "[" + records.joined(separator: ",\n") + "]"
    }

    /// A source that can be read again, as a file can.
    private static func load(
        _ bench: EngineBench, _ text: String, run: ImportRunOptions = ImportRunOptions(),
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> TestImport {
        var options = ImportOptions()
        change(&options)
        let source = ImportSource.bytes(Data(text.utf8), name: "in.json")
        return try bench.load([ImportJob(entity: "Book", sources: [source], options: options)], run: run)
    }

    private static func contents(_ bench: EngineBench) throws -> [String] {
        [
            try bench.table("Author", "id", "name", "email", "company", "tags"),
            try bench.table("Company", "id", "city"), "\(try bench.count("Address"))",
            try bench.table("Tag", "word", "count"), "\(try bench.faults())",
        ]
    }

    private static func orders<T>(_ items: [T]) -> [[T]] {
        guard items.count == 3 else { return [items, items.reversed()] }
        return [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map { $0.map { items[$0] } }
    }

    /// The first lacks what the second has, and so on, also the required name.
    private static let mentions = [
        #"{"id":1,"name":"Ann"}"#,
        #"{"id":1,"email":"e","company":{"id":9,"city":"Rome"},"address":{"street":"s"}}"#,
        #"{"id":1,"name":"Ann","company":9,"tags":[{"word":"a","count":1}]}"#,
    ]

    private static let whole = [
        "id,name,email,company,tags\n1,Ann,e,9,a\n", "id,city\n9,Rome\n", "1", "word,count\na,1\n", "[]",
    ]

    @Test("Mentions of an object are merged in every order", arguments: orders(mentions), EngineBench.Kind.allCases)
    func merged(_ mentions: [String], _ kind: EngineBench.Kind) throws {
        for options in [ImportRunOptions(), TestImport.keepGood] {
            for policy in [ImportOptions.ConflictPolicy.error, .update, .replace] {
                let bench = try EngineBench(Self.model, kind)
                defer { bench.keep() }
                let run = try Self.load(bench, Self.records(mentions), run: options) { $0.onConflict = policy }
                #expect(run.problems == [], "\(run.messages)")
                #expect(run.counts == RecordCounts(created: 3) && run.report.nested == 4, "\(run.report.nested)")
                #expect(try Self.contents(bench) == Self.whole)
                #expect(try bench.table("Book", "number", "author") == "number,author\n1,1\n2,1\n3,1\n")
                // The same records again change nothing, whatever their order.
                if policy == .update {
                    let again = try Self.load(bench, Self.records(mentions)) {
                        $0.onConflict = .update
                        $0.ignoredColumns = ["address"]
                    }
                    #expect(again.counts == RecordCounts(unchanged: 3), "\(again.counts) \(again.messages)")
                }
            }
        }
    }

    @Test("A list of objects without a key may be in a later mention of a new object")
    func keylessList() throws {
        let bench = try EngineBench(Self.model, .sqlite)
        defer { bench.keep() }
        let run = try Self.load(
            bench, Self.records([#"{"id":1,"name":"Ann"}"#, #"{"id":1,"notes":[{"text":"a"},{"text":"b"}]}"#]),
            EngineBench.update)
        #expect(run.problems == [], "\(run.messages)")
        #expect(try bench.table("Note", "text") == "text\na\nb\n")
    }

    @Test("Mentions in several files are merged", arguments: [false, true]) func files(_ isReversed: Bool) throws {
        let bench = try EngineBench(Self.model, .sqlite)
        defer { bench.keep() }
        var sources = Self.mentions.enumerated().map { index, author in
            ImportSource.bytes(Data(#"[{"number":\#(index),"author":\#(author)}]"#.utf8), name: "\(index).json")
        }
        if isReversed { sources.reverse() }
        let run = try bench.load([ImportJob(entity: "Book", sources: sources)])
        #expect(run.problems == [], "\(run.messages)")
        #expect(try Self.contents(bench) == Self.whole)
    }

    @Test("Stored objects take the members of all mentions", arguments: orders(mentions))
    func stored(_ mentions: [String]) throws {
        let bench = try EngineBench(Self.model, .sqlite)
        defer { bench.keep() }
        try bench.load(csv: "id,name,email\n1,Anna,x\n", "Author")
        let run = try Self.load(bench, Self.records(mentions), EngineBench.update)
        #expect(run.problems == [], "\(run.messages)")
        #expect(try Self.contents(bench) == Self.whole)
        #expect(run.changes.filter { $0.contains("Author") }.allSatisfy { $0.hasPrefix("update") }, "\(run.changes)")
    }

    @Test("Values that a stored object must equal may be in several mentions")
    func equalToStored() throws {
        for (email, problems) in [("e", [String]()), ("f", ["unique.exists"])] {
            let bench = try EngineBench(Self.model, .sqlite)
            defer { bench.keep() }
            try bench.load(csv: "id,name,email\n1,Ann,e\n", "Author")
            let run = try Self.load(
                bench, Self.records([#"{"id":1,"name":"Ann"}"#, #"{"id":1,"email":"\#(email)"}"#]))
            #expect(run.report.diagnostics.map(\.code.rawValue) == problems, "\(run.messages)")
        }
    }

    @Test(
        "Two different values are a conflict in both orders",
        arguments: [
            (#"{"id":1,"name":"Ann","email":"e"}"#, #"{"id":1,"name":"Bob"}"#, #"name is "Ann" there and "Bob" here"#),
            (#"{"id":1,"name":"Ann","email":null}"#, #"{"id":1,"email":"e"}"#, #"email is NULL there and "e" here"#),
            (#"{"id":1,"name":"Ann","company":{"id":2}}"#, #"{"id":1,"company":{"id":3}}"#, "company differs"),
            (#"{"id":1,"name":"Ann","tags":["a"]}"#, #"{"id":1,"tags":[]}"#, "tags differs"),
            (
                #"{"id":1,"name":"Ann","address":{"street":"s"}}"#, #"{"id":1,"address":{"street":"t"}}"#,
                "address differs"
            ),
        ])
    func conflicts(_ first: String, _ second: String, _ difference: String) throws {
        let bench = try EngineBench(Self.model, .memory)
        let run = try Self.load(bench, Self.records([first, second]))
        #expect(run.lines.contains("2 unique.duplicate id"), "\(run.messages)")
        #expect(
            run.messages.contains(
                "an object with the same id and other values is nested in the record at in.json:1: \(difference)"),
            "\(run.messages)")
        let help = run.report.diagnostics.first { $0.code == .uniqueDuplicate }?.help
        #expect(help?.contains("in a run of its own with --on-conflict update") == true)
        let reversed = try Self.load(bench, Self.records([second, first]))
        #expect(reversed.lines.contains("2 unique.duplicate id"), "\(reversed.messages)")
    }

    @Test("A conflict inside a nested object that both mentions have is found") func inner() throws {
        let bench = try EngineBench(Self.model, .memory)
        let company = #"{"id":1,"name":"Ann","company":{"id":2,"city":"Rome"}}"#
        let run = try Self.load(bench, Self.records([company, company.replacing("Rome", with: "Oslo")]))
        #expect(run.lines == ["2 unique.duplicate id"])
        #expect(run.messages.first?.hasSuffix(#"city is "Rome" there and "Oslo" here"#) == true, "\(run.messages)")
    }

    @Test("A required value that no mention has rejects all of them", arguments: EngineBench.Kind.allCases)
    func missing(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = Self.records([#"{"id":1,"email":"e"}"#, #"{"id":2,"name":"Bob"}"#, #"{"id":1,"email":"e"}"#])
        for options in [ImportRunOptions(), TestImport.keepGood] {
            let run = try Self.load(bench, text, run: options)
            #expect(run.lines == ["1 value.missing name", "3 value.missing name"], "\(run.messages)")
        }
        #expect(try bench.table("Author", "id") == "id\n2\n")
        let other = try Self.load(
            bench, Self.records([#"{"id":1,"email":"e"}"#], extra: [0: #""sequel":"x""#]))
        #expect(other.lines.sorted() == ["1 value.missing name", "1 value.syntax sequel"], "\(other.messages)")
        // A second mention does not repeat the problem of the first one.
        let twice = try Self.load(
            try EngineBench(Self.model, kind),
            Self.records([#"{"id":1,"email":"e"}"#, #"{"id":1,"email":"e"}"#], extra: [1: #""sequel":"x""#]),
            run: TestImport.keepGood)
        #expect(twice.lines.sorted() == ["1 value.missing name", "2 value.syntax sequel"], "\(twice.messages)")
    }

    @Test("With keep-good, the values of a record that is rejected late come from another one or are missing")
    func late() throws {
        let full = #"{"id":1,"name":"Ann","email":"e"}"#
        let bad = #""sequel":99"#
        // What each record says, which one is rejected late, the rejected lines, and the author.
        let cases: [([String], Int, Set<Int>, String)] = [
            ([#"{"id":1,"name":"Ann"}"#, full, full], 1, [2], "1,Ann,e\n"),
            ([#"{"id":1,"name":"Ann"}"#, full, #"{"id":1}"#], 1, [2], "1,Ann,\n"),
            ([#"{"id":1}"#, full, full], 1, [2], "1,Ann,e\n"),
            ([#"{"id":1}"#, full, #"{"id":1}"#], 1, [1, 2, 3], ""),
            ([full, #"{"id":1,"name":"Ann"}"#, #"{"id":1}"#], 0, [1], "1,Ann,\n"),
            ([#"{"id":1,"name":"Ann"}"#, #"{"id":1,"email":"e"}"#, full], 0, [1], "1,Ann,e\n"),
        ]
        for (authors, rejected, lines, author) in cases {
            let bench = try EngineBench(Self.model, .sqlite)
            defer { bench.keep() }
            let run = try Self.load(bench, Self.records(authors, extra: [rejected: bad]), run: TestImport.keepGood)
            #expect(run.rejectedLines == lines, "\(authors) \(run.lines) \(run.messages)")
            #expect(try bench.table("Author", "id", "name", "email") == "id,name,email\n" + author, "\(authors)")
            #expect(try bench.faults() == [])
        }
    }

    @Test("From a source that is read once, a record goes with the one that it takes values from") func once() throws {
        let full = #"{"id":1,"name":"Ann","email":"e"}"#
        let bench = try EngineBench(Self.model, .memory)
        let text = Self.records([#"{"id":1,"name":"Ann"}"#, full, full], extra: [1: #""sequel":99"#])
        let run = try bench.load(json: text, "Book", run: TestImport.keepGood)
        #expect(run.rejectedLines == [2, 3], "\(run.messages)")
        #expect(try bench.table("Author", "id", "name", "email") == "id,name,email\n1,Ann,\n")
    }
}
