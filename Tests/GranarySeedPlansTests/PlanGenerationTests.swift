import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing
@testable import GranarySeedPlans
@testable import SeedingTestSupport

/// The key `generate` of a plan.
@Suite struct PlanGenerationTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Injury", [.attribute("name", .string, .required), .toMany("patients", "Patient", inverse: "injury")],
            unique: [["name"]]),
        EntityDescription(
            "Patient",
            [.attribute("name", .string, .required), .toOne("injury", "Injury", inverse: "patients", .required)]),
    ])

    private static let generate = """
        generate:
          counts: {Patient: 50}
          random-seed: 7
          locale: de
          null-percent: 0
          generators: {Patient.name: "one of Ann, Bob"}

        """

    @Test("Generated objects are linked to imported ones, in one transaction, and once")
    func run() async throws {
        let folder = try TemporaryFolder()
        try Self.model.write(to: folder.url.appending(path: "M.json"))
        let imports = """
            imports:
              - entity: Injury
                on-conflict: update
                rows: [{name: Burn}, {name: Cut}]

            """
        let file = try folder.write("model: M.json\nstore: S.sqlite\n" + imports + Self.generate, to: "p.yaml")
        let reports = try await SeedPlan(contentsOf: file).run()
        #expect(reports.map(\.created) == [2])
        #expect(reports.first?.generated == [EntityCount(name: "Patient", count: 50)])
        let again = try await SeedPlan(contentsOf: file).run()
        #expect(again.map(\.unchanged) == [2] && again.first?.generated == [])
        let store = try SQLiteStore.open(
            path: folder.url.appending(path: "S.sqlite").path, schema: try Self.model.resolved(), readOnly: true)
        #expect(try store.count(entity: 0) == 2)
        #expect(try store.count(entity: 1) == 50)
    }

    @Test("A plan without imports, and one that cannot be satisfied")
    func alone() async throws {
        let folder = try TemporaryFolder()
        try Self.model.write(to: folder.url.appending(path: "M.json"))
        let start = "model: M.json\nstore: S.sqlite\n"
        let file = try folder.write(start + Self.generate, to: "p.yaml")
        await #expect(throws: GranaryError.self) { try await SeedPlan(contentsOf: file).run() }
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "S.sqlite").path))
        let good = try folder.write(start + "generate: {counts: {Injury: 3, Patient: 4}}\n", to: "q.yaml")
        let reports = try await SeedPlan(contentsOf: good).run()
        #expect(reports.first?.generated.map(\.count) == [3, 4])
        let unknown = try folder.write(start + "generate: {counts: {Injry: 3}}\n", to: "r.yaml")
        do {
            try await SeedPlan(contentsOf: unknown).run()
            Issue.record("an unknown entity was accepted")
        } catch let error as GranaryError {
            #expect(error.diagnostics.first?.message.contains("did you mean \"Injury\"?") ?? false, "\(error)")
        }
    }

    @Test("Mistakes have their places")
    func mistakes() {
        let cases: [(String, String)] = [
            ("generate: §5\n", "must be a mapping"), ("generate: §{}\n", "counts is missing"),
            ("generate: {counts: {A: §x}}\n", "a whole number is required"),
            ("generate: {counts: {A: 1}, locale: §xx}\n", "is not one of en, de, fr"),
            ("generate: {counts: {A: 1}, null-percent: §101}\n", "a whole number is required"),
            ("generate: {counts: {A: 1}, edge-cases: §maybe}\n", "neither true nor false"),
            ("generate: {counts: {A: 1}, §sede: 1}\n", "has no key"),
        ]
        for (marked, message) in cases {
            let (text, places) = PlanSample.unmarked("model: M.json\nstore: S.sqlite\n" + marked)
            let problems = PlanSample.problems(text)
            #expect(problems.contains { $0.message.contains(message) }, "\(text): \(problems)")
            let found = problems.map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0)" }
            #expect(places.allSatisfy { found.contains($0) }, "\(text): \(found)")
        }
    }
}
