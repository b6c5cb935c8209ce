import Foundation
import Granary
import TestSupport
import Testing

/// The options of a run, and its report.
@Suite("Import runs and reports") struct ImportRunTests {
    private let folder: TemporaryFolder
    private let store: URL
    private let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Item", [.attribute("name", .string, .required), .attribute("number", .integer32)], unique: [["name"]]),
        EntityDescription("Box", [.attribute("name", .string)]),
    ])

    init() throws {
        folder = try TemporaryFolder()
        store = folder.url.appending(path: "Store.sqlite")
    }

    private func load(
        _ text: String, policy: ImportOptions.ConflictPolicy = .error,
        _ change: (inout ImportRunOptions) -> Void = { _ in }
    ) async throws -> ImportReport {
        var run = ImportRunOptions()
        change(&run)
        var options = ImportOptions()
        options.onConflict = policy
        let source = ImportSource.text(text, format: .csv, name: "items.csv")
        return try await Importer(entity: "Item", from: source, options: options, run: run)
            .run(into: store, model: model)
    }

    @Test("A run is recorded in the ledger unless it should not be")
    func ledger() async throws {
        #expect(try await load("name\nA\n") { $0.keepsLedger = false }.run == nil)
        #expect(try await load("name\nB\n").run == "run-1")
        let runs: [ImportRun] = try StoreSummary(contentsOf: store).runs
        let counts: ImportRun.Counts = try #require(runs.first?.counts)
        #expect(counts.created == 1 && counts.updated == 0 && counts.skipped == 0 && counts.pruned == 0)
        #expect(counts.unchanged == 0 && counts.rejected == 0 && counts.madeByLookup == 0)
        let source: ImportRun.Source = try #require(runs.first?.sources.first)
        #expect(source.name == "items.csv")
    }

    @Test("The changes of an import have the old and the new values")
    func changes() async throws {
        _ = try await load("name,number\nA,1\nB,2\n")
        let report = try await load("name,number\nA,7\nB,2\nC,3\n", policy: .update)
        #expect(report.created == 1 && report.updated == 1 && report.unchanged == 1 && report.changeCount == 1)
        let change: ImportChange = try #require(report.changes.first)
        #expect(change.action == ImportChange.Action.update && change.entity == "Item" && change.id == "Item/p1")
        #expect(change.key == "\"A\"" && change.file == "items.csv" && change.line == 2)
        #expect(change.properties == ["number"])
        let value: ImportChange.Value = try #require(change.values?.first)
        #expect(value.property == "number" && value.old == "1" && value.new == "7")
    }

    @Test("A run with several jobs has a report for each")
    func severalJobs() async throws {
        let importer = Importer(jobs: [
            ImportJob(entity: "Item", sources: [.text("name\nA\n", format: .csv)]),
            ImportJob(entity: "Box", sources: [.text("name\nx\ny\n", format: .csv)]),
        ])
        let report = try await importer.run(into: store, model: model)
        #expect(report.created == 3 && report.entity == nil && report.store == store.path && report.seconds > 0)
        #expect(report.imports.map(\.entity) == ["Item", "Box"] && report.imports.map(\.created) == [1, 2])
        #expect(report.storeWarnings.allSatisfy { $0.severity == Diagnostic.Severity.warning })
        #expect(report.ledger == "read 3 = created 3 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
    }

    @Test("The report of the command line is read from its JSON")
    func coding() async throws {
        let report = try await load("name\nA\n")
        let data = try JSONEncoder().encode(report)
        let decoded = try JSONDecoder().decode(ImportReport.self, from: data)
        #expect(decoded.created == 1 && decoded.run == report.run && !decoded.isRefused)
        let refused = try JSONDecoder().decode(ImportReport.self, from: Data(#"{"refused": true, "read": 3}"#.utf8))
        #expect(refused.isRefused && refused.read == 3 && refused.skippedBlankLines == 0 && refused.loader == nil)
    }
}
