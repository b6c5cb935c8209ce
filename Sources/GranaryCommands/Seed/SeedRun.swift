import GranaryBase
import GranaryPersistence
import GranarySeeding

/// Fills the stores of a plan: one transaction in each, and none is committed before all are checked.
///
/// The transactions lie in each other. The import of a store calls, when only its commit is left, the import of the next
/// one, so that the last store is committed first. A plan has few stores, so the recursion is not deep.
final class SeedRun {
    private let targets: [SeedTarget]
    private var reports: [ImportReport?]
    private var isRefused = false

    /// Takes a store back because of another one.
    private struct TakenBack: Error {}

    init(_ targets: [SeedTarget]) {
        self.targets = targets
        reports = Array(repeating: nil, count: targets.count)
    }

    /// - Returns: a report for each store, in the plan's order; where one is refused, all are.
    /// - Throws: ``GranaryError``, as importing throws; then nothing is kept in any store.
    func run() throws -> [ImportReport] {
        try run(from: 0)
        var finished: [ImportReport] = []
        for (target, report) in zip(targets, reports) {
            var report = try report ?? reportOfRefused(target)
            report.store = target.plan.store
            finished.append(report)
        }
        if !isRefused { try keep(finished) }
        return finished
    }

    private func run(from index: Int) throws {
        guard index < targets.count else { return }
        let target = targets[index]
        var hasRunNext = false
        do {
            let report = try target.importer.run(into: try target.opened()) {
                hasRunNext = true
                try run(from: index + 1)
                if isRefused { throw TakenBack() }
            }
            reports[index] = report
            if report.isRefused { isRefused = true }
        } catch {
            // What the next ones threw is thrown on; a store that was taken back for them has its report made later.
            guard isRefused, hasRunNext, Self.isTakenBack(error) else { throw error }
        }
        // A store that is refused, or only tried, does not come to its commit; the others are checked all the same.
        if !hasRunNext { try run(from: index + 1) }
    }

    private static func isTakenBack(_ error: any Error) -> Bool {
        if error is TakenBack { return true }
        guard let error = error as? GranaryError else { return false }
        return error.underlying is TakenBack
    }

    /// The report of a good store in a plan that was refused for another one: its good records are left out.
    private func reportOfRefused(_ target: SeedTarget) throws -> ImportReport {
        var run = target.plan.run
        run.isDryRun = true
        run.rejectsPath = nil
        var report = try Importer(jobs: target.plan.jobs, run: run).run(into: try target.opened())
        report.isDryRun = target.plan.run.isDryRun
        Self.leaveOut(&report)
        for index in report.imports.indices { Self.leaveOut(&report.imports[index]) }
        return report
    }

    private static func leaveOut(_ report: inout ImportReport) {
        report.isRefused = true
        report.skipped += report.created + report.updated + report.unchanged
        (report.created, report.updated, report.unchanged) = (0, 0, 0)
        (report.replaced, report.madeByLookup, report.nested, report.pruned) = (0, 0, 0, 0)
        (report.changes, report.changeCount) = ([], 0)
    }

    /// New stores get their names, and those that are to be shipped are made ready.
    private func keep(_ reports: [ImportReport]) throws(GranaryError) {
        for (target, report) in zip(targets, reports) where !report.isDryRun {
            let store = try target.opened()
            // A new store gets its name when it is fit to be shipped.
            if target.plan.ships { try store.ship(identifier: target.plan.identifier) }
            if target.isNew { try store.publish() }
        }
    }
}
