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

/// Natural keys that contain a to-one relationship.
@Suite struct RelationshipKeyTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "S",
            [
                .attribute("id", .integer16), .attribute("code", .string), .toMany("ns", "N", inverse: "s"),
                .toOne("p", "P", inverse: "s"),
            ], unique: [["id"], ["code"]]),
        EntityDescription(
            "N", [.attribute("lang", .string), .attribute("text", .string), .toOne("s", "S", inverse: "ns")],
            unique: [["s", "lang"]]),
        EntityDescription(
            "P", [.attribute("text", .string), .attribute("lang", .string), .toOne("s", "S", inverse: "p")],
            unique: [["s"]]),
        EntityDescription("Q", [.attribute("text", .string)]),
    ])

    private static func seeded(_ kind: EngineBench.Kind) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        try bench.load(csv: "id,code\n1,a\n2,b\n", "S")
        try bench.load(csv: "s,lang,text\n1,en,one\n", "N")
        return bench
    }

    private static let update: @Sendable (inout ImportOptions) -> Void = { $0.onConflict = .update }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A second import without a key names options that work`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let text = "s,lang,text\n1,en,uno\n"
        let refused = try bench.load(csv: text, "N")
        #expect(refused.problems == ["2:1 unique.exists s"])
        #expect(refused.report.diagnostics[0].help == "--on-conflict update")
        let run = try bench.load(csv: text, "N", Self.update)
        #expect(run.counts == RecordCounts(updated: 1), "\(run.messages)")
        #expect(try bench.table("N", "lang", "s", "text") == "lang,s,text\nen,1,uno\n")
        #expect(try bench.load(csv: text, "N", Self.update).counts == RecordCounts(unchanged: 1))
        let keyed = try bench.load(csv: "s,lang,text\n1,en,un\n1,fr,deux\n2,en,two\n", "N") {
            $0.onConflict = .update
            $0.key = ["lang", "s"]
        }
        #expect(keyed.counts == RecordCounts(created: 2, updated: 1), "\(keyed.messages)")
        #expect(
            try bench.load(csv: "s,lang\n1,en\n2,fr\n", "N") { $0.onConflict = .skip }.counts
                == RecordCounts(created: 1, skipped: 1))
        let twice = try bench.load(csv: "s,lang,text\n2,de,a\n2,de,b\n", "N", Self.update)
        #expect(twice.problems == ["3:1 unique.duplicate s"])
        #expect(try bench.faults() == [])
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `The help names the key if it is not the default`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let code = try bench.load(csv: "id,code\n5,a\n", "S")
        #expect(code.report.diagnostics.map(\.help) == ["--key code --on-conflict update"])
        try bench.load(csv: "s,text\n1,x\n", "P")
        // No option finds the object of a one-to-one, so there is no help.
        let one = try bench.load(csv: "s,text\n1,y\n", "P")
        #expect(one.report.diagnostics.compactMap(\.help) == [], "\(one.messages)")
    }

    @Test func `A nested object has help only if its record can be updated too`() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "A", [.attribute("x", .integer16), .toMany("bs", "B", inverse: "a"), .toMany("ds", "D", inverse: nil)]),
            EntityDescription(
                "B", [.attribute("name", .string), .toOne("a", "A", inverse: "bs")], unique: [["name"]]),
            EntityDescription(
                "C", [.attribute("k", .string), .toMany("ds", "D", inverse: nil)], unique: [["k"]]),
            EntityDescription(
                "D", [.attribute("name", .string), .attribute("code", .string), .attribute("z", .integer16)],
                unique: [["name"], ["code"]]),
        ])
        let bench = try EngineBench(model, .memory)
        try bench.load(csv: "name\nb\n", "B")
        try bench.load(csv: "name,code\nd,e\n", "D")
        let help: ([TestImport]) -> [[String]] = { $0.map { $0.report.diagnostics.compactMap(\.help) } }
        let runs = try [
            bench.load(json: #"[{"x":1,"bs":[{"name":"b","a":null}]}]"#, "A"),
            bench.load(json: #"[{"k":"1","ds":[{"name":"d","z":1}]}]"#, "C"),
            bench.load(json: #"[{"k":"1","ds":[{"name":"q","code":"e","z":1}]}]"#, "C"),
        ]
        #expect(help(runs) == [[], ["--on-conflict update"], []], "\(runs.map(\.messages))")
        #expect(try bench.load(json: #"[{"k":"1","ds":[{"name":"d","z":1}]}]"#, "C", Self.update).problems == [])
    }

    @Test func `The help names the nested objects that need a key`() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("A", [.attribute("name", .string)]),
            EntityDescription(
                "B", [.attribute("name", .string), .toMany("as", "A", inverse: nil)], unique: [["name"]]),
        ])
        let bench = try EngineBench(model, .memory)
        try bench.load(csv: "name\nb\n", "B")
        let text = #"[{"name":"b","as":[{"name":"x"},{"name":"y"}]}]"#
        let refused = try bench.load(json: text, "B")
        #expect(refused.report.diagnostics.map(\.help) == ["--on-conflict update --key as=ATTRIBUTE"])
        let run = try bench.load(json: text, "B") {
            $0.onConflict = .update
            $0.nestedKeys = ["as": ["name"]]
        }
        #expect(run.problems == [], "\(run.messages)")
    }

    @Test func `A nested object in the key is refused with what to write`() throws {
        let bench = try Self.seeded(.memory)
        let run = try bench.load(json: #"[{"s":{"id":1},"lang":"en","text":"x"}]"#, "N", Self.update)
        #expect(run.messages.contains { $0.contains("write s as a key, not as an object") }, "\(run.messages)")
    }

    @Test func `A row without a value in the key is rejected, and one of a new object is new`() throws {
        let bench = try Self.seeded(.memory)
        let run = try bench.load(csv: "s,lang\n,en\n1,\n9,en\n", "N", Self.update)
        #expect(
            run.problems == ["2:1 value.missing s", "3:3 value.missing lang", "4:1 relationship.notFound s"],
            "\(run.messages)")
        let jobs = [
            EngineBench.job(csv: "s,lang,text\n7,en,x\n1,en,y\n7,fr,z\n", "N", name: "n.csv", Self.update),
            EngineBench.job(csv: "id,code\n7,g\n", "S", name: "s.csv"),
        ]
        let later = try bench.load(jobs)
        #expect(later.report.imports.map(\.created) == [2, 1] && later.report.updated == 1, "\(later.messages)")
        let made = try bench.load(csv: "s,lang\n8,en\n8,fr\n", "N") {
            $0.onConflict = .update
            $0.onMissing = .create
        }
        #expect(made.counts == RecordCounts(created: 2) && made.report.madeByLookup == 1, "\(made.messages)")
        let same = try bench.load(csv: "s,lang\n11,en\n11,en\n", "N") {
            $0.onConflict = .update
            $0.onMissing = .create
        }
        #expect(same.problems == ["3:1 unique.duplicate s"], "\(same.messages)")
    }

    @Test func `A key that is known only at the end is refused with a reason`() throws {
        let bench = try Self.seeded(.memory)
        let run = try bench.load([
            EngineBench.job(csv: "id,code\n1,new\n", "S", name: "s.csv", Self.update),
            EngineBench.job(csv: "s,lang\nnew,en\n", "N", name: "n.csv") {
                $0.onConflict = .update
                $0.lookups = ["s": .attribute("code")]
            },
        ])
        #expect(run.problems.contains("2:1 value.missing s"), "\(run.problems)")
        #expect(run.messages.contains { $0.contains("import the rows of N in a run of their own") }, "\(run.messages)")
    }

    private static let refused: [(String, [String]?, @Sendable (inout ImportOptions) -> Void, String)] = [
        ("N", ["s", "lan"], update, "the key: N has no attribute or relationship \"lan\"; did you mean \"lang\"?"),
        ("S", ["ns"], update, "the key: S.ns is a to-many relationship"),
        ("S", ["p"], update, "the key: S.p is a one-to-one relationship"),
        (
            "P", nil, update,
            "the uniqueness constraint of P (s) cannot be the key of its rows: P.s is a one-to-one relationship"
        ),
        (
            "Q", nil, update,
            "Q has no uniqueness constraint, so its rows need a key to find their objects; $id is the key of the rows of an "
                + "export"
        ),
        (
            "N", nil, { ($0.onConflict, $0.onMissing) = (.update, .null) },
            "the uniqueness constraint of N (s, lang) cannot be the key of its rows: N.s cannot be left out if its object is "
                + "missing"
        ),
    ]

    @Test(arguments: refused.indices)
    func `What cannot be a key is wrong usage with a reason`(_ index: Int) throws {
        let (entity, key, change, message) = Self.refused[index]
        let bench = try Self.seeded(.memory)
        let error = #expect(throws: GranaryError.self) {
            try bench.load(csv: "s,lang\n1,en\n", entity) {
                change(&$0)
                $0.key = key
            }
        }
        #expect(error?.code == .usage && error?.message == message, "\(error?.message ?? "")")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `A nested object is matched by its owner and its attributes`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let text = """
            [{"id":1,"ns":[{"lang":"en","text":"uno"},{"lang":"de","text":"eins"}]},{"id":3,"ns":[{"lang":"en"}]}]
            """
        let run = try bench.load(json: text, "S", Self.update)
        // The record of the first object changes only a nested one.
        #expect(
            run.problems == [] && run.counts == RecordCounts(created: 1, unchanged: 1), "\(run.counts) \(run.messages)")
        #expect(try bench.table("N", "lang", "s", "text") == "lang,s,text\nen,1,uno\nde,1,eins\nen,3,\n")
        let again = try bench.load(json: text, "S", Self.update)
        #expect(again.counts == RecordCounts(unchanged: 2), "\(again.messages)")
        let refused = try bench.load(json: #"[{"id":9,"p":{"text":"x"}},{"id":1,"p":{"text":"x"}}]"#, "S", Self.update)
        #expect(!refused.messages.contains { $0.contains("has no uniqueness constraint") }, "\(refused.messages)")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `With keep-good a row that names a rejected object is rejected`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(kind)
        defer { bench.keep() }
        let run = try bench.load(
            [
                EngineBench.job(csv: "id,code\n4,d\n5,a\n", "S", name: "s.csv"),
                EngineBench.job(csv: "s,lang,text\n5,en,x\n4,en,y\n1,en,z\n", "N", name: "n.csv", Self.update),
            ], run: TestImport.keepGood)
        #expect(run.report.rejected == 2 && run.report.created == 2 && run.report.updated == 1, "\(run.messages)")
        #expect(run.messages.contains("refers to the record at s.csv:3, which is rejected"), "\(run.messages)")
        #expect(try bench.faults() == [])
    }
}
