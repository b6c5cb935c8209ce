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
    /// The stores that existed before and whose transactions are committed.
    private var stored: [String] = []
    private var committed: [CommittedImport] = []

    /// Takes a store back because of another one.
    private struct TakenBack: Error {}

    init(_ targets: [SeedTarget]) {
        self.targets = targets
        reports = Array(repeating: nil, count: targets.count)
    }

    /// - Returns: a report for each store, in the plan's order; where one is refused, all are. The failure is what went wrong
    ///   after the imports were stored.
    /// - Throws: ``GranaryError``, as importing throws; then nothing is kept in any store, unless the message says so.
    func run(_ documents: ImportDocuments) throws -> (reports: [ImportReport], failure: GranaryError?) {
        do {
            try run(from: 0, documents)
        } catch let error as GranaryError where !stored.isEmpty {
            throw GranaryError(
                .inputOutput, "\(error.message); the import is stored in \(stored.joined(separator: ", "))",
                diagnostics: error.diagnostics, underlying: error)
        }
        let finished = try finishedReports()
        var afterwards = AfterCommit()
        if !isRefused { try keep(finished, documents, &afterwards) }
        try documents.prepare(finished)
        for one in isRefused ? [] : committed { afterwards.run { () throws(GranaryError) in try one.publish() } }
        afterwards.run { () throws(GranaryError) in try documents.publish() }
        return (finished, afterwards.failure)
    }

    private func finishedReports() throws -> [ImportReport] {
        try zip(targets, reports).map { target, report in
            try (report ?? reportOfRefused(target)).stored(at: target.plan.store)
        }
    }

    private func run(from index: Int, _ documents: ImportDocuments) throws {
        guard index < targets.count else {
            // All stores are checked and written, and none is committed. Where all are new, their names come later still.
            if !isRefused, targets.contains(where: { !$0.isNew }) { try documents.prepare(finishedReports()) }
            return
        }
        let target = targets[index]
        var hasRunNext = false
        do {
            let outcome = try target.importer.commit(into: try target.opened()) { report in
                reports[index] = report
                hasRunNext = true
                try run(from: index + 1, documents)
                if isRefused {
                    reports[index] = nil
                    throw TakenBack()
                }
            }
            reports[index] = outcome.report
            committed.append(outcome)
            if hasRunNext, !target.isNew { stored.append(target.plan.store) }
            if outcome.report.isRefused { isRefused = true }
        } catch {
            // What the next ones threw is thrown on; a store that was taken back for them has its report made later.
            guard isRefused, hasRunNext, Self.isTakenBack(error) else { throw error }
        }
        // A store that is refused, or only tried, does not come to its commit; the others are checked all the same.
        if !hasRunNext { try run(from: index + 1, documents) }
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
        var report = try Importer(jobs: target.plan.jobs, run: run).commit(into: try target.opened()).report
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

    /// Makes those stores ready that are to be shipped, the new ones first; then new stores get their names.
    ///
    /// - Throws: as long as nothing is stored. What fails later is left to `afterwards`.
    private func keep(
        _ reports: [ImportReport], _ documents: ImportDocuments, _ afterwards: inout AfterCommit
    ) throws {
        let kept = zip(targets, reports).filter { !$0.1.isDryRun }.map(\.0)
        func ship(_ target: SeedTarget) throws(GranaryError) {
            if target.plan.ships { try target.opened().ship(identifier: target.plan.identifier) }
        }
        for target in kept where target.isNew {
            if stored.isEmpty {
                try ship(target)
            } else {
                afterwards.run { () throws(GranaryError) in try ship(target) }
            }
        }
        try documents.prepare(reports)
        for target in kept where target.isNew {
            if stored.isEmpty, !targets.contains(where: \.isNewAndPublished) {
                try target.opened().publish()
            } else {
                afterwards.run { () throws(GranaryError) in try target.opened().publish() }
            }
        }
        for target in kept where !target.isNew { afterwards.run { () throws(GranaryError) in try ship(target) } }
    }
}
