import GranaryBase
import GranaryContexts
import GranaryImport
import GranaryModel
import Testing
@testable import SeedingTestSupport

/// Updates of objects that contain objects without a key.
@Suite struct KeylessNestedTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Author",
            [
                .attribute("id", .integer16), .attribute("name", .string),
                .toOne("address", "Address", inverse: "author"), .toOne("bank", "Bank", inverse: nil),
                .toOne("office", "Address", inverse: nil), .toMany("notes", "Note", inverse: "author"),
            ], unique: [["id"]]),
        EntityDescription(
            "Address",
            [
                .attribute("street", .string), .attribute("city", .string, .defaultValue("?")),
                .toOne("author", "Author", inverse: "address"), .toOne("geo", "Geo", inverse: nil),
            ]),
        EntityDescription("Geo", [.attribute("lat", .double)]),
        EntityDescription("Bank", [.attribute("iban", .string)]),
        EntityDescription("Note", [.attribute("text", .string), .toOne("author", "Author", inverse: "notes")]),
    ])

    private static let first = """
        [{"id":1,"name":"Ann","address":{"street":"A","city":"Rome","geo":{"lat":1.5}},"bank":{"iban":"x"}},
        {"id":2,"name":"Bob"}]
        """

    private static func seeded(_ kind: EngineBench.Kind) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        let run = try bench.load(json: first, "Author")
        #expect(run.problems == [], "\(run.messages)")
        return bench
    }

    private static func contents(_ bench: EngineBench) throws -> String {
        try bench.table("Author", "id", "name", "address", "bank") + bench.table("Address", "street", "city", "geo")
            + bench.table("Geo", "lat") + bench.table("Bank", "iban")
    }

    @Test("The object of the stored parent is changed, at every depth", arguments: EngineBench.Kind.allCases)
    func updates(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let same = try bench.load(json: Self.first, "Author", EngineBench.update)
        #expect(same.problems == [] && same.counts == RecordCounts(unchanged: 2), "\(same.messages)")
        let text = """
            [{"id":1,"address":{"street":"B","geo":{"lat":2.5}},"bank":{"iban":"y"}},
            {"id":2,"address":{"street":"C","geo":{"lat":3.5}}},{"id":3,"address":{"street":"D"}}]
            """
        let run = try bench.load(json: text, "Author", EngineBench.update)
        #expect(run.problems == [], "\(run.messages)")
        #expect(
            try Self.contents(bench)
                == "id,name,address,bank\n1,Ann,Address/p1,Bank/p1\n2,Bob,Address/p2,\n3,,Address/p3,\n"
                + "street,city,geo\nB,Rome,Geo/p1\nC,?,Geo/p2\nD,?,\n" + "lat\n2.5\n3.5\n" + "iban\ny\n")
        #expect(try bench.faults() == [])
        // Replacing sets what the nested object lacks.
        let replaced = try bench.load(json: #"[{"id":1,"address":{"street":"E"}}]"#, "Author") {
            $0.onConflict = .replace
        }
        #expect(replaced.problems == [], "\(replaced.messages)")
        #expect(
            try bench.table("Address", "street", "city", "geo") == "street,city,geo\nE,?,\nC,?,Geo/p2\nD,?,\n")
    }

    @Test("A rejected record changes no nested object", arguments: EngineBench.Kind.allCases)
    func rejected(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let before = try Self.contents(bench)
        let text = #"[{"id":1,"name":5,"address":{"street":"B","geo":{"lat":"x"}}},{"id":2,"address":{"street":7}}]"#
        let run = try bench.load(json: text, "Author", run: TestImport.keepGood, EngineBench.update)
        #expect(run.counts == RecordCounts(rejected: 2), "\(run.messages)")
        #expect(try Self.contents(bench) == before)
    }

    @Test("An object to which others refer too stays, and the parent gets a new one")
    func shared() throws {
        let bench = try Self.seeded(.sqlite)
        defer { bench.keep() }
        try bench.load(json: #"[{"$id":"Author/p2","bank":"Bank/p1","office":"Address/p1"}]"#, "Author") {
            $0.key = ["$id"]
            $0.onConflict = .update
        }
        let text = #"[{"id":1,"address":{"street":"B"},"bank":{"iban":"y"}},{"id":2,"office":{"street":"O"}}]"#
        let run = try bench.load(json: text, "Author", EngineBench.update)
        #expect(run.problems == [], "\(run.messages)")
        // The address is at the other end of a one-to-one; the office and the bank are shared.
        #expect(
            try bench.table("Author", "id", "address", "bank", "office")
                == "id,address,bank,office\n1,Address/p1,Bank/p2,\n2,,Bank/p1,Address/p2\n")
        #expect(try bench.table("Address", "street") == "street\nB\nO\n")
        #expect(try bench.table("Bank", "iban") == "iban\nx\ny\n")
    }

    @Test("A list of objects without a key is one error, with ways out") func lists() throws {
        let bench = try Self.seeded(.memory)
        let text = #"[{"id":1,"notes":[{"text":"a"},{"text":"b"}]},{"id":2,"notes":[{"text":"c"}]}]"#
        let run = try bench.load(json: text, "Author", EngineBench.update)
        #expect(
            run.messages == [
                "Note has no uniqueness constraint, so the objects in the list Author.notes need a key that tells which of "
                    + "them are stored already"
            ])
        #expect(run.report.isRefused)
        let help = run.report.diagnostics.first?.help ?? ""
        #expect(help.contains("--key notes=ATTRIBUTE") && help.contains("--ignore Author.notes"))
        let good = try bench.load(json: text, "Author", run: TestImport.keepGood, EngineBench.update)
        #expect(good.report.diagnostics.count == 3 && good.report.rejected == 2)
        let keyed = try bench.load(json: text, "Author") {
            $0.onConflict = .update
            $0.nestedKeys = ["notes": ["text"]]
        }
        #expect(keyed.problems == [] && keyed.report.madeByLookup == 3, "\(keyed.messages)")
        let ignored = try bench.load(json: text, "Author") {
            $0.onConflict = .update
            $0.ignoredColumns = ["Author.notes"]
        }
        #expect(ignored.problems == [], "\(ignored.messages)")
    }
}
