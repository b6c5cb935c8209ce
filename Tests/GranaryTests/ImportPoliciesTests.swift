import Foundation
import Granary
import Testing

/// The options that say what an import does with existing, missing and unmentioned objects.
@Suite("Import policies") struct ImportPoliciesTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Ward",
            [
                .attribute("name", .string), .attribute("floor", .integer16),
                .toMany("beds", "Bed", inverse: "ward"), .toMany("tags", "Tag", inverse: "wards"),
            ], unique: [["name"]]),
        EntityDescription(
            "Bed",
            [
                .attribute("number", .integer16), .attribute("side", .string),
                .toOne("ward", "Ward", inverse: "beds"),
            ]),
        EntityDescription(
            "Tag", [.attribute("word", .string), .toMany("wards", "Ward", inverse: "tags")], unique: [["word"]]),
    ])

    private let container: PersistentContainer

    /// Two wards, `red` and `blue`, on floors 1 and 2, and the tag `new`.
    init() async throws {
        container = try PersistentContainer(model: Self.model, store: .inMemory)
        try await load("Ward", "name,floor\nred,1\nblue,2\n")
        try await load("Tag", "word\nnew\n")
    }

    @discardableResult
    private func load(
        _ entity: String?, _ text: String, format: DataFormat = .csv, run: ImportRunOptions = ImportRunOptions(),
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) async throws -> ImportReport {
        var options = ImportOptions()
        change(&options)
        return try await Importer(entity: entity, from: .text(text, format: format), options: options, run: run)
            .run(into: container)
    }

    private func wards() async throws -> [String] {
        try await container.perform { context in
            var request = FetchRequest("Ward")
            request.sortDescriptors = [ObjectSortDescriptor("name")]
            return try context.fetch(request).map { ward in
                let floor = try ward.integer(forKey: "floor").map { "\($0)" } ?? "-"
                return "\(try ward.string(forKey: "name") ?? "-") \(floor)"
            }
        }
    }

    private static let conflicts: [(policy: ImportOptions.ConflictPolicy, wards: [String], counts: [Int])] = [
        (.update, ["blue 2", "red 1"], [0, 1, 0]), (.skip, ["blue 2", "red 1"], [0, 0, 1]),
        (.replace, ["blue 2", "red -"], [1, 0, 0]),
    ]

    @Test("A row whose object exists", arguments: conflicts.indices)
    func existingObjects(index: Int) async throws {
        let (policy, expected, counts) = Self.conflicts[index]
        let report = try await load("Ward", "name\nred\n") { $0.onConflict = policy }
        #expect(try await wards() == expected)
        #expect([report.updated, report.unchanged, report.skipped] == counts && report.replaced == counts[0])
        #expect(report.changes.map(\.action) == (policy == .replace ? [ImportChange.Action.replace] : []))
        let error = await #expect(throws: GranaryError.self) { try await load("Ward", "name\nred\n") }
        #expect(error?.diagnostics.first?.code == .uniqueExists)
    }

    @Test("The key of rows can be another attribute")
    func keys() async throws {
        let report = try await load("Ward", "floor,name\n1,crimson\n") {
            $0.key = ["floor"]
            $0.onConflict = .update
        }
        #expect(report.updated == 1)
        #expect(try await wards() == ["blue 2", "crimson 1"])
    }

    private static let missing: [(policy: ImportOptions.MissingPolicy, code: Diagnostic.Code?, made: Int)] = [
        (.error, .relationshipNotFound, 0), (.null, nil, 0), (.create, nil, 1),
    ]

    @Test("A reference to an object that does not exist", arguments: missing.indices)
    func missingObjects(index: Int) async throws {
        let (policy, code, made) = Self.missing[index]
        func load() async throws -> ImportReport {
            try await self.load("Bed", "number,ward\n1,green\n") {
                $0.missingPolicies = ["ward": policy]
                let lookup: ImportOptions.Lookup = .attribute("name")
                $0.lookups = ["ward": lookup]
            }
        }
        guard let code else {
            let report = try await load()
            #expect(report.created == 1 && report.madeByLookup == made)
            #expect(try await wards().contains("green -") == (made == 1))
            return
        }
        let error = await #expect(throws: GranaryError.self) { try await load() }
        #expect(error?.diagnostics.first?.code == code)
    }

    @Test("Objects that no row mentions are pruned, up to a limit")
    func pruning() async throws {
        let limits: [ImportOptions.PruneLimit] = [.count(0), .percent(10)]
        for limit in limits {
            let error = await #expect(throws: GranaryError.self) {
                try await load("Ward", "name\nred\n") {
                    $0.onConflict = .skip
                    $0.prunes = true
                    $0.maximumPruned = limit
                }
            }
            #expect(error?.code == .refused)
        }
        let report = try await load("Ward", "name\nred\n") {
            $0.onConflict = .skip
            $0.prunes = true
            $0.maximumPruned = .percent(50)
        }
        #expect(report.pruned == 1 && report.changes.map(\.action) == [.delete])
        #expect(report.changes.first?.key == "\"blue\"")
        #expect(try await wards() == ["red 1"])
    }

    @Test("Nothing is pruned if a record was rejected")
    func pruningWithRejects() async throws {
        var run = ImportRunOptions()
        run.mode = .keepGood
        let report = try await load("Ward", "name,floor\nred,1\ngreen,x\n", run: run) {
            $0.onConflict = .skip
            $0.prunes = true
        }
        #expect(report.pruned == 0 && report.rejected == 1)
        #expect(report.diagnostics.map(\.code) == [.valueSyntax, .pruneSkipped])
    }

    @Test("A field can contain several keys, and a source can contain links")
    func lists() async throws {
        try await load("Tag", "word\nold\n")
        try await load("Ward", "name,tags\ngreen,new|old\n") { $0.listSeparator = UInt8(ascii: "|") }
        let report = try await load("Ward", "name,tags\nred,old\n") {
            $0.linkRelationship = "tags"
        }
        #expect(report.read == 1 && report.rejected == 0)
        let tags = try await container.perform { context in
            var request = FetchRequest("Ward")
            request.sortDescriptors = [ObjectSortDescriptor("name")]
            return try context.fetch(request).map { try $0.objects(forKey: "tags").count }
        }
        #expect(tags == [0, 2, 1])
    }

    @Test("Nested objects are matched by their key")
    func nestedObjects() async throws {
        let left = #"{"number": 1, "side": "left"}"#
        let rows = #"[{"name": "green", "beds": [\#(left), \#(left), {"number": 2, "side": "right"}]}]"#
        let report = try await load("Ward", rows, format: .json) { $0.nestedKeys = ["beds": ["number"]] }
        #expect(report.created == 1 && report.nested == 2)
        #expect(try await container.perform { try $0.count("Bed") } == 2)
    }
}
