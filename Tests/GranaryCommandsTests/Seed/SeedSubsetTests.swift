import Foundation
import GranaryImport
import TestSupport
import Testing

/// `granary seed` with plans that take objects of other stores.
@Suite struct SeedSubsetTests {
    private let runs: CommandRun

    init() async throws {
        runs = try CommandRun()
        let seed = await runs.run(
            "seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=\(runs.path("Seed.sqlite"))", "--quiet")
        #expect(seed.code == 0, "\(seed.messages)")
        _ = try runs.folder.write("0123456789abcdef", to: "key")
    }

    private func write(_ more: String) throws {
        _ = try runs.folder.write(
            """
            store: T.sqlite
            imports: [{entity: Injury, rows: [{key: "1", name: Burn}], on-conflict: update}]
            subsets:
              - {store: Seed.sqlite, from: Patient WHERE age > 60, on-conflict: skip, explain: Injury/p2\(more)}

            """, to: "seed.yaml")
    }

    @Test func aRunReportsWhatItTookAndIsCheckedAgain() async throws {
        try write(", anonymise: Patient.name, random-seed: 3")
        let run = await runs.run("seed", "@seed.yaml", "--report", "@report.json", "--html", "@report.html")
        #expect(run.code == 0, "\(run.messages)")
        for text in ["subset of ", "Seed.sqlite: took ", "chosen", "Patient.name", "searched ", "Injury/p2 is "] {
            #expect(run.messages.contains(text), "\(text): \(run.messages)")
        }
        let report = try JSONDecoder().decode(ImportReport.self, from: Data(runs.text("report.json").utf8))
        let subset = try #require(report.subsets.first)
        #expect(report.subsets.count == 1 && subset.isAnonymised && subset.store.hasSuffix("T.sqlite"))
        #expect(report.read == subset.count + 1 && report.created == subset.count, "\(report)")
        #expect(try runs.text("report.html").contains("Objects of the subset of "))
        let current = await runs.run("seed", "@seed.yaml", "--check")
        #expect(current.code == 0, "\(current.output)")
        // Another number gives other values.
        try write(", anonymise: Patient.name, random-seed: 4")
        let other = await runs.run("seed", "@seed.yaml", "--check")
        #expect(other.code == 1 && other.output.contains("name"), "\(other.output)")
        try write(", anonymise: Patient.name")
        let random = await runs.run("seed", "@seed.yaml", "--check")
        #expect(random.code == 64 && random.messages.contains("add random-seed"), "\(random.messages)")
        #expect(try runs.names.allSatisfy { !$0.contains(".partial") })
    }

    @Test func helpIsAKeyOfThePlan() async throws {
        try write("")
        _ = try runs.folder.write(runs.text("seed.yaml").replacing("on-conflict: skip, ", with: ""), to: "seed.yaml")
        let result = await runs.run("seed", "@seed.yaml", "--report", "@report.json", "--report-all")
        #expect(result.code == 65 && result.messages.contains("Injury/p"), "\(result.messages)")
        let report = try runs.text("report.json")
        #expect(report.contains("Injury/p2: ") && !report.contains("Seed.sqlite, Injury"), "\(report)")
        #expect(result.messages.contains("help: on-conflict: \"skip\""), "\(result.messages)")
        #expect(!result.messages.contains("ndjson"), "\(result.messages)")
    }

    @Test(arguments: ["Seed.sqlite", "key", "rules.yaml"])
    func noOutputReplacesAFileThatIsRead(name: String) async throws {
        _ = try runs.folder.write("Patient.name: keep\n", to: "rules.yaml")
        try write(", rules: rules.yaml, key-file: key")
        let before = try Data(contentsOf: URL(filePath: runs.path(name)))
        let result = await runs.run("seed", "@seed.yaml", "--report", "@\(name)", "--force")
        #expect(result.code == 64, "\(result.messages)")
        #expect(try Data(contentsOf: URL(filePath: runs.path(name))) == before)
    }

    @Test func theSourceIsNoStoreOfThePlanInACheckEither() async throws {
        _ = try runs.folder.write(
            "store: Seed.sqlite\nsubsets: {store: Seed.sqlite, from: Patient}\n", to: "seed.yaml")
        let result = await runs.run("seed", "@seed.yaml", "--check")
        #expect(result.code == 64 && result.messages.contains("cannot read the store that it writes"))
    }
}
