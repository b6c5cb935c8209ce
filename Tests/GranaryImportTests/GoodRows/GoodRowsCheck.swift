import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// The rule that keep-good is held to: it gives, byte for byte, the store that an all-or-nothing import of the records
/// that were not rejected gives.
struct GoodRowsCheck {
    private let folder: TemporaryFolder
    private let schema: Schema
    private let seed: Int
    private let plan: GoodRowsPlan
    private static let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

    init(seed: Int) throws {
        self.seed = seed
        plan = GoodRowsPlan(seed: seed)
        folder = try TemporaryFolder()
        schema = try plan.model.resolved()
    }

    /// Returns the numbers of records that keep-good has rejected and accepted.
    func run() throws -> (rejected: Int, accepted: Int) {
        let base = folder.url.appending(path: "base.sqlite")
        do {
            let store = try SQLiteStore.create(path: base.path, schema: schema)
            if !plan.before.isEmpty { try load(plan.before, store, .allOrNothing) }
            try store.publish()
            try store.ship(identifier: Self.identifier)
        }
        let good = folder.url.appending(path: "good.sqlite")
        let alone = folder.url.appending(path: "alone.sqlite")
        for copy in [good, alone] { try FileManager.default.copyItem(at: base, to: copy) }
        let report = try load(plan.jobs, good, .keepGood)
        #expect(!report.isRefused, "seed \(seed): \(report.diagnostics.map(\.message))")
        var rejected: [String: Set<Int>] = [:]
        for problem in report.diagnostics where problem.severity == .error {
            guard let position = problem.position, let record = position.record else { continue }
            rejected[position.file, default: []].insert(record)
        }
        #expect(rejected.values.reduce(0) { $0 + $1.count } == report.rejected, "seed \(seed)")
        let accepted = plan.jobs.map { $0.without(rejected[$0.name] ?? []) }.filter { !$0.rows.isEmpty }
        let again = try load(accepted, alone, .allOrNothing)
        #expect(!again.isRefused, "seed \(seed): \(again.diagnostics.map(\.message))")
        let same = try Data(contentsOf: good) == Data(contentsOf: alone)
        if !same {
            let (one, other) = (try text(good), try text(alone))
            #expect(one == other, "seed \(seed)")
        }
        #expect(same, "seed \(seed): the files differ")
        return (report.rejected, report.read - report.rejected)
    }

    private func load(_ jobs: [GoodRowsPlan.Job], _ url: URL, _ mode: ImportRunOptions.Mode) throws -> ImportReport {
        let store = try SQLiteStore.open(path: url.path, schema: schema)
        let report = try load(jobs, store, mode)
        let found = try faults(store)
        #expect(found == [], "seed \(seed)")
        try store.ship(identifier: Self.identifier)
        return report
    }

    @discardableResult
    private func load(
        _ jobs: [GoodRowsPlan.Job], _ store: SQLiteStore, _ mode: ImportRunOptions.Mode
    ) throws -> ImportReport {
        var run = ImportRunOptions()
        run.mode = mode
        run.keepsLedger = false
        return try Importer(jobs: jobs.map(\.importJob), run: run).run(into: store)
    }

    private func faults(_ store: SQLiteStore) throws -> [String] {
        var collector = DiagnosticCollector()
        try StoreCheck(store).run(&collector)
        return collector.diagnostics.map(\.message)
    }

    private func text(_ url: URL) throws -> String {
        let store = try SQLiteStore.open(path: url.path, schema: schema)
        var options = ExportOptions()
        options.reference = .id
        return try ExportSamples.json(store, options, shape: .document)
    }
}
