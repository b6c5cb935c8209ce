import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Objects that no row speaks of any more.
@Suite struct PruneTests {
    /// Wards with beds; notes refer to wards, and no ward knows it.
    private static func model(
        _ rule: RelationshipDescription.DeleteRule, isRequired: Bool = false
    ) -> ManagedObjectModel {
        let ward: PropertyDescription =
            isRequired ? .toOne("ward", "Ward", inverse: "beds", .required) : .toOne("ward", "Ward", inverse: "beds")
        return ManagedObjectModel(entities: [
            EntityDescription("Bed", [.attribute("number", .integer16), ward], unique: [["number"]]),
            EntityDescription("Note", [.attribute("text", .string), .toOne("about", "Ward", inverse: nil)]),
            EntityDescription(
                "Tag", [.attribute("word", .string), .toMany("wards", "Ward", inverse: "tags")], unique: [["word"]]),
            EntityDescription(
                "Ward",
                [
                    .attribute("name", .string), .attribute("floor", .integer16),
                    .toMany("beds", "Bed", inverse: "ward", .deleteRule(rule)),
                    .toMany("tags", "Tag", inverse: "wards"),
                ], unique: [["name"]]),
        ])
    }

    private static func seeded(_ model: ManagedObjectModel, _ kind: EngineBench.Kind) throws -> EngineBench {
        let bench = try EngineBench(model, kind)
        try bench.load(csv: "word\nnew\n", "Tag")
        try bench.load(csv: "name,floor,tags\nred,1,new\nblue,2,new\n,3,\n", "Ward")
        try bench.load(csv: "number,ward\n1,red\n2,blue\n3,blue\n4,red\n", "Bed")
        return bench
    }

    private static func prune(_ options: inout ImportOptions) {
        options.onConflict = .update
        options.prunes = true
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Links to what goes are cut where the rule is nullify`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(Self.model(.nullify), kind)
        defer { bench.keep() }
        let text = "name,floor\nred,1\ngreen,4\n"
        let before = try bench.document()
        let tried = try bench.load(csv: text, "Ward", run: TestImport.dryRun, Self.prune)
        #expect(try bench.document() == before)
        let run = try bench.load(csv: text, "Ward", Self.prune)
        #expect(run.problems == [])
        #expect(run.counts == RecordCounts(created: 1, unchanged: 1) && run.addsUp)
        #expect(run.report.pruned == 1 && run.changes == ["delete Ward/p2 0 "] && run.report.changeCount == 1)
        #expect(tried.changes == run.changes && tried.report.pruned == 1)
        // The ward without a name has no key that a row could have: it stays.
        #expect(try bench.table("Ward", "name", "floor") == "name,floor\nred,1\n,3\ngreen,4\n")
        #expect(try bench.table("Bed", "number", "ward") == "number,ward\n1,red\n2,\n3,\n4,red\n")
        #expect(try bench.table("Tag", "word", "wards") == "word,wards\nnew,red\n")
        #expect(try bench.faults() == [])
        let again = try bench.load(csv: text, "Ward", Self.prune)
        #expect(again.counts == RecordCounts(unchanged: 2) && again.report.pruned == 0 && again.report.run == nil)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Cascades take others along`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(Self.model(.cascade, isRequired: true), kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "name\nred\n", "Ward", Self.prune)
        #expect(run.problems == [])
        #expect(run.counts == RecordCounts(unchanged: 1))
        #expect(run.report.pruned == 3)
        #expect(run.changes.sorted() == ["delete Bed/p2 0 ", "delete Bed/p3 0 ", "delete Ward/p2 0 "])
        #expect(try bench.table("Bed", "number", "ward") == "number,ward\n1,red\n4,red\n")
        #expect(try bench.faults() == [])
    }

    struct Denied: Sendable {
        let rule: RelationshipDescription.DeleteRule
        var isRequired = false
        var note: String?
        let problems: [String]
        let message: String
    }

    @Test(
        arguments: [
            Denied(
                rule: .deny, problems: ["0:0 relationship.denied beds", "0:0 relationship.denied beds"],
                message: "Ward/p2 cannot be pruned: its beds is not empty"),
            Denied(
                rule: .nullify, isRequired: true, problems: ["0:0 value.missing ward", "0:0 value.missing ward"],
                message: "Ward/p2 cannot be pruned: the ward of an object that refers to it is required"),
            Denied(
                rule: .nullify, note: "text,about\na,blue\nb,red\n", problems: ["0:0 relationship.denied about"],
                message: "Note/p1 refers to an object (p2) to be pruned"),
        ], EngineBench.Kind.allCases)
    func `What stands against it refuses the import`(_ test: Denied, _ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(Self.model(test.rule, isRequired: test.isRequired), kind)
        defer { bench.keep() }
        if let note = test.note { try bench.load(csv: note, "Note") }
        let before = try bench.document()
        for options in [ImportRunOptions(), TestImport.keepGood] {
            let run = try bench.load(csv: "name,floor\nred,7\n", "Ward", run: options, Self.prune)
            // One a reason: whether that is said for each link or once does not matter.
            #expect(Set(run.problems) == Set(test.problems) && run.messages.contains(test.message))
            #expect(run.report.isRefused && run.report.pruned == 0 && run.addsUp)
            #expect(try bench.document() == before)
        }
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Nothing is pruned beside rejected rows`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(Self.model(.nullify), kind)
        defer { bench.keep() }
        let run = try bench.load(csv: "name,floor\nred,7\ngreen,x\n", "Ward", run: TestImport.keepGood, Self.prune)
        #expect(run.problems == ["3:7 value.syntax floor", "0:0 prune.skipped -"])
        #expect(run.report.diagnostics.map(\.severity) == [.error, .warning])
        #expect(
            run.messages.last
                == "objects that no row mentions: 1; none is pruned, because a rejected record can be theirs")
        #expect(run.counts == RecordCounts(updated: 1, rejected: 1) && run.report.pruned == 0)
        #expect(try bench.table("Ward", "name", "floor") == "name,floor\nred,7\nblue,2\n,3\n")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Rows that are skipped or rejected late speak of their objects too`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(Self.model(.nullify), kind)
        defer { bench.keep() }
        let skipped = try bench.load(csv: "name\nblue\n", "Ward") {
            $0.onConflict = .skip
            $0.prunes = true
        }
        #expect(skipped.counts == RecordCounts(skipped: 1) && skipped.report.pruned == 1)
        #expect(try bench.count("Ward") == 2)
        let late = try bench.load(csv: "name,tags\ngreen,none\n", "Ward", run: TestImport.keepGood, Self.prune)
        #expect(late.report.rejected == 1 && late.report.pruned == 0)
        #expect(late.report.diagnostics.map(\.code) == [.relationshipNotFound, .pruneSkipped])
        #expect(try bench.count("Ward") == 2)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Only objects of the very entity go`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(
            ManagedObjectModel(entities: [
                EntityDescription("Item", [.attribute("code", .string)], unique: [["code"]]),
                EntityDescription("Special", [.attribute("extra", .string)], superentity: "Item"),
            ]), kind)
        defer { bench.keep() }
        try bench.load(csv: "code\na\nb\n", "Item")
        try bench.load(csv: "code\ns\nt\n", "Special")
        let run = try bench.load(csv: "code\na\n", "Item", Self.prune)
        #expect(run.changes == ["delete Item/p2 0 "])
        #expect(try bench.count("Special") == 2)
        let special = try bench.load(csv: "code\nt\n", "Special", Self.prune)
        #expect(special.changes == ["delete Special/p3 0 "])
        #expect(try bench.count("Item") == 1)
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `All jobs of a run speak of objects`(_ kind: EngineBench.Kind) throws {
        let bench = try Self.seeded(Self.model(.nullify), kind)
        defer { bench.keep() }
        let run = try bench.load([
            EngineBench.job(csv: "name\nred\n", "Ward", name: "1.csv", Self.prune),
            EngineBench.job(csv: "name\nblue\n", "Ward", name: "2.csv", EngineBench.update),
            EngineBench.job(csv: "number\n1\n2\n3\n", "Bed", name: "3.csv", Self.prune),
        ])
        #expect(run.problems == [])
        #expect(run.report.pruned == 1 && run.changes == ["delete Bed/p4 0 "])
        #expect(try bench.count("Ward") == 3)
    }

    @Test func `It has to be said whose objects go, and rows have to find theirs`() throws {
        let bench = try Self.seeded(Self.model(.nullify), .memory)
        let error = #expect(throws: GranaryError.self) {
            try bench.load(csv: "name\nred\n", "Ward") { $0.prunes = true }
        }
        #expect(error?.code == .usage)
        // An empty list in a document says nothing of an entity.
        let document = "{\"entities\":{\"Ward\":[]}}"
        #expect(try bench.load(json: document, nil, Self.prune).report.pruned == 0)
        // A file without rows prunes all that it could have spoken of.
        let run = try bench.load(csv: "name\n", "Ward", Self.prune)
        #expect(run.report.read == 0 && run.report.pruned == 2)
    }

    @Test("The entities of a document are pruned together", arguments: EngineBench.Kind.allCases)
    func documents(_ kind: EngineBench.Kind) throws {
        // A ward cannot go without its beds, and beds refer to their wards.
        let bench = try Self.seeded(Self.model(.deny, isRequired: true), kind)
        defer { bench.keep() }
        let text = """
            {"entities":{"Ward":[{"name":"red","tags":[]}],"Bed":[{"number":1,"ward":"red"},{"number":4}]}}
            """
        let tried = try bench.load(json: text, nil, run: TestImport.dryRun, Self.prune)
        let run = try bench.load(json: text, nil, Self.prune)
        #expect(run.problems == [], "\(run.messages)")
        #expect(run.report.pruned == 3 && tried.report.pruned == 3)
        #expect(try bench.table("Ward", "name", "floor") == "name,floor\nred,1\n,3\n")
        #expect(try bench.table("Bed", "number", "ward") == "number,ward\n1,red\n4,red\n")
        // The document has no rows of Tag.
        #expect(try bench.count("Tag") == 1)
        #expect(try bench.faults() == [])
    }

    @Test("Nested objects are mentioned, and their entities are not pruned") func nested() throws {
        let bench = try Self.seeded(Self.model(.nullify), .sqlite)
        defer { bench.keep() }
        let text = #"{"entities":{"Ward":[{"name":"red","beds":[{"number":1}]},{"name":"blue","beds":[]}]}}"#
        let run = try bench.load(json: text, nil, Self.prune)
        #expect(run.problems == [] && run.report.pruned == 0, "\(run.messages)")
        #expect(try bench.count("Bed") == 4)
    }

    @Test("The limit is that of each entity") func limits() throws {
        let bench = try EngineBench(Self.model(.nullify), .memory)
        let beds = (1...200).map(String.init).joined(separator: "\n")
        try bench.load(csv: "number\n\(beds)\n", "Bed")
        try bench.load(csv: "word\n" + (1...12).map { "t\($0)\n" }.joined(), "Tag")
        func document(_ bedCount: Int, _ tagCount: Int) -> String {
            let beds = (1...bedCount).map { "{\"number\":\($0)}" }.joined(separator: ",")
            let tags = (1...tagCount).map { "{\"word\":\"t\($0)\"}" }.joined(separator: ",")
            return "{\"entities\":{\"Bed\":[\(beds)],\"Tag\":[\(tags)]}}"
        }
        let refused = try bench.load(json: document(180, 1), nil, Self.prune)
        #expect(
            refused.messages == [
                "pruning would delete 11 objects, including those that cascades delete; the limit is 10. Is the source "
                    + "complete?"
            ])
        #expect(
            refused.report.diagnostics.first?.entity == "Tag"
                && refused.report.diagnostics.first?.help == "--max-prune 11")
        #expect(try bench.count("Bed") == 200)
        let run = try bench.load(json: document(180, 2), nil, Self.prune)
        #expect(run.report.pruned == 30, "\(run.messages)")
    }
}
