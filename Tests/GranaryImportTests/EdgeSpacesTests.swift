import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// The warning about keys that begin or end with spaces.
@Suite struct EdgeSpacesTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Genre", [.attribute("name", .string), .toMany("books", "Book", inverse: "genres")], unique: [["name"]]),
        EntityDescription(
            "Book",
            [
                .attribute("isbn", .string), .attribute("title", .string), .toOne("main", "Genre", inverse: nil),
                .toMany("genres", "Genre", inverse: "books"),
            ], unique: [["isbn"]]),
        EntityDescription("Pair", [.attribute("a", .string), .attribute("b", .integer16)], unique: [["a", "b"]]),
        EntityDescription("Use", [.toOne("pair", "Pair", inverse: nil)]),
    ])

    private static func warnings(_ run: TestImport) -> [String] {
        run.report.diagnostics.filter { $0.code == .valueSpaces }.map {
            "\($0.position?.file ?? ""):\($0.position?.line ?? 0):\($0.position?.column ?? 0) \($0.entity ?? "")."
                + "\($0.property ?? "") \($0.message) \($0.help ?? "")"
        }
    }

    private static func create(_ separator: UInt8) -> (inout ImportOptions) -> Void {
        {
            $0.onMissing = .create
            $0.listSeparator = separator
        }
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `List elements with spaces are warned of once for a column`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = "isbn,title,genres\n1, x ,\"Roman,Krimi\"\n2,y,\"Roman, Krimi\"\n3,z,\"Lyrik , Drama\"\n"
        let run = try bench.load(csv: text, "Book", Self.create(UInt8(ascii: ",")))
        #expect(
            Self.warnings(run) == [
                "in.csv:3:5 Book.genres 3 texts begin or end with spaces, which are part of the key; the first is "
                    + "\" Krimi\" --trim"
            ])
        #expect(run.counts == RecordCounts(created: 3) && run.report.diagnosticCount == 1)
        let trimmed = try EngineBench(Self.model, kind)
        defer { trimmed.keep() }
        let other = try trimmed.load(csv: text, "Book") {
            Self.create(UInt8(ascii: ","))(&$0)
            $0.trims = true
        }
        #expect(other.problems == [])
        #expect(try trimmed.table("Genre", "name") == "name\nRoman\nKrimi\nLyrik\nDrama\n")
    }

    /// The file, and the columns that are warned of with the line of the first place and the count.
    private static let cases: [(String, String, [String])] = [
        // Of new objects in one file, which are read in chunks.
        ("Genre", "name\na\n b\nc \n\td\n", ["Genre.name 3 3"]),
        ("Genre", "name\n\" a\"\nb\n", ["Genre.name 2 1"]),
        // A text that is no key is not checked.
        ("Book", "isbn,title\n1, x\n2,y \n", []),
        ("Book", "isbn,title,main\n 1,x, a\n2,y,a\n3,z,b \n", ["Book.isbn 2 1", "Book.main 2 2"]),
        ("Pair", "a,b\n x,1\nx,1\n", ["Pair.a 2 1"]),
        ("Use", "pair\n\"[\"\" x\"\",1]\"\n\"[\"\"x\"\",1]\"\n", ["Use.pair 2 1"]),
        // A record that is read one by one is counted once.
        ("Genre", "name\n a\n a\n \"\"b\"\" \n", ["Genre.name 2 2"]),
        ("Genre", "name\n\" a\"\"b\"\n\" c\"\n", ["Genre.name 2 2"]),
    ]

    @Test(arguments: cases.indices, EngineBench.Kind.allCases)
    func `Keys of rows and references are checked, nothing else`(_ index: Int, _ kind: EngineBench.Kind) throws {
        let (entity, text, expected) = Self.cases[index]
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let run = try bench.load(csv: text, entity, run: TestImport.keepGood) { $0.onMissing = .create }
        let found = run.report.diagnostics.filter { $0.code == .valueSpaces }.map { warning in
            let count = warning.message.hasPrefix("\"") ? "1" : String(warning.message.prefix { $0 != " " })
            return "\(warning.entity ?? "").\(warning.property ?? "") \(warning.position?.line ?? 0) \(count)"
        }
        #expect(found == expected, "\(run.problems) \(run.messages)")
    }

    @Test func `Chunks count as many as single records`() throws {
        var text = "name\n"
        for number in 0..<5000 { text += number % 7 == 3 ? " n\(number)\n" : "n\(number)\n" }
        let schema = try Self.model.resolved()
        var found: [[String]] = []
        for threads in [0, 3] {
            var run = ImportRunOptions()
            run.threads = threads
            found.append(
                Self.warnings(try TestImport.csv(text, "Genre", into: InMemoryStore(schema: schema), run: run)))
        }
        let single = try TestImport.csv(text, "Genre", into: InMemoryStore(schema: schema)) { $0.onConflict = .update }
        found.append(Self.warnings(single))
        #expect(Set(found).count == 1)
        #expect(found[0].first?.hasPrefix("in.csv:5:1 Genre.name 714 texts") ?? false, "\(found[0])")
    }

    @Test func `Several files of an import have one warning, and JSON has one too`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let files = [("name\na\n", "1.csv"), ("name\n b\n c\n", "2.csv")]
        let run = try TestImport.of(
            try files.map { try TestImport.reader(csv: $0.0, name: $0.1) }, "Genre", bench.store)
        #expect(Self.warnings(run).count == 1 && Self.warnings(run)[0].hasPrefix("2.csv:2:1 Genre.name 2 texts"))
        let json = try bench.load(json: #"[{"isbn":"9","genres":["a"," b"],"main":{"name":" q"}}]"#, "Book") {
            $0.onMissing = .create
        }
        #expect(Self.warnings(json).count == 2, "\(Self.warnings(json))")
    }
}
