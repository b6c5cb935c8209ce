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

    /// What becomes of the row, and of the ward `red`, which has floor 1.
    private static let conflicts:
        [(policy: ImportOptions.ConflictPolicy, red: String, count: @Sendable (ImportReport) -> Int)] = [
            (.update, red: "red 1", count: { $0.unchanged }), (.skip, red: "red 1", count: { $0.skipped }),
            (.replace, red: "red -", count: { $0.replaced }),
        ]

    @Test("A row whose object exists", arguments: conflicts.indices)
    func existingObjects(index: Int) async throws {
        let (policy, red, count) = Self.conflicts[index]
        let report = try await load("Ward", "name\nred\n") { $0.onConflict = policy }
        #expect(try await wards() == ["blue 2", red])
        #expect(count(report) == 1 && report.created == 0)
        #expect(report.changes.map(\.action) == (policy == .replace ? [ImportChange.Action.replace] : []))
        let error = await #expect(throws: GranaryError.self) { try await load("Ward", "name\nred\n") }
        #expect(error?.diagnostics.first?.code == .uniqueExists)
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
}
