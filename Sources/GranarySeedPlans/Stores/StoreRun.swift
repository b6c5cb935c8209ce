package import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
package import GranaryImport
import GranaryPostgreSQL
import GranaryRecords

/// Fills several stores: one transaction in each, and none is committed before all are checked.
///
/// The transactions are nested. When only the commit of a store is left, its import calls the import of the next store,
/// so that the last store is committed first. The number of stores is limited (``SeedPlan/maximumStores``), so the
/// recursion is not deep.
package final class StoreRun {
    private let targets: [StoreTarget]
    private var reports: [ImportReport?]
    private var isRefused = false
    /// The stores that existed before and whose transactions are committed.
    private var stored: [Int] = []
    /// The imports whose transactions have ended, by the indices of their stores.
    private var committed: [Int: CommittedImport] = [:]
    /// Whether the documents were written, by this attempt or an earlier one.
    private var hasPrepared = false
    /// Whether the documents in `hasPrepared` describe an attempt that was rolled back.
    private var mustPrepareAgain = false

    /// The number of times to run while other programs change the same rows. Each failure means that another transaction
    /// was committed, so a second attempt nearly always succeeds.
    static let maximumAttempts = 5

    /// - Parameter targets: opened.
    package init(_ targets: [StoreTarget]) {
        self.targets = targets
        if targets.count > 1 || Self.canRepeat(targets) {
            // The report of a store that is rolled back because of another one reads its sources again, and so does a
            // second attempt.
            let spool = ByteSpool(keepsFiles: false)
            for target in targets where target.plan.run.rejectsPath == nil {
                for source in target.plan.jobs.flatMap(\.sources) { source.keepBytes(in: spool) }
            }
        }
        reports = Array(repeating: nil, count: targets.count)
    }

    /// Runs the imports. If another program has changed the same rows of a database meanwhile, they run again, with the
    /// new state of the database: nothing was stored, and the sources can be read again.
    ///
    /// - Returns: a report for each store, in the plan's order; if one store is refused, all are. `failure` is the
    /// first error that occurred after a commit.
    /// - Throws: ``GranaryError``, as importing throws; then no store is changed, unless the message says so.
    package func run(_ documents: (any ImportOutputs)? = nil) throws -> (
        reports: [ImportReport], failure: GranaryError?
    ) {
        var attempt = 1
        while true {
            do { return try runOnce(documents) } catch let error as GranaryError
                where attempt < Self.maximumAttempts && canRepeat(after: error, documents)
            {
                attempt += 1
                targets.first?.plan.run.announce?(
                    "another program changed the same rows at the same time; the import runs again (\(attempt) of "
                        + "\(Self.maximumAttempts))")
                reports = Array(repeating: nil, count: targets.count)
                isRefused = false
                committed = [:]
                mustPrepareAgain = hasPrepared
            }
        }
    }

    /// Whether the stores are as before after a transaction that was rolled back. A new store is not: its file or its
    /// open transaction is lost.
    private static func canRepeat(_ targets: [StoreTarget]) -> Bool {
        !targets.isEmpty && targets.allSatisfy { $0.plan.isInDatabase && !$0.isNew }
    }

    private func canRepeat(after error: GranaryError, _ documents: (any ImportOutputs)?) -> Bool {
        // What was printed cannot be taken back.
        PostgreSQLSupport.isConflict(error) && stored.isEmpty && Self.canRepeat(targets)
            && (!hasPrepared || documents?.isRepeatable ?? true)
    }

    /// Writes the documents. Those of an attempt that was rolled back are written again.
    private func prepare(_ reports: [ImportReport], _ documents: (any ImportOutputs)?) throws {
        guard let documents else { return }
        hasPrepared = true
        guard mustPrepareAgain else { return try documents.prepare(reports) }
        mustPrepareAgain = false
        try documents.prepareAgain(reports)
    }

    private func runOnce(
        _ documents: (any ImportOutputs)?
    ) throws -> (reports: [ImportReport], failure: GranaryError?) {
        do {
            try run(from: 0, documents)
        } catch let error as GranaryError where !stored.isEmpty {
            return try finish(after: error, documents)
        }
        var finished = try finishedReports()
        var afterwards = AfterCommit()
        if !isRefused { try keep(&finished, documents, &afterwards) }
        try prepare(finished, documents)
        for index in isRefused ? [] : committed.keys.sorted() {
            afterwards.run { () throws(GranaryError) in try committed[index]?.publish() }
        }
        afterwards.run { () throws(GranaryError) in try documents?.publish() }
        return (finished, afterwards.failure)
    }

    /// Ends a run in which a store failed after the stores in `stored` were committed. The reports and rejects files of
    /// the committed stores are kept.
    private func finish(
        after error: GranaryError, _ documents: (any ImportOutputs)?
    ) throws -> (reports: [ImportReport], failure: GranaryError?) {
        for index in targets.indices where !stored.contains(index) {
            reports[index].map { reports[index] = $0.leftOut }
        }
        let finished = try zip(targets, reports).map { target, report in
            try target.finished(report ?? ImportReport().leftOut)
        }
        var afterwards = AfterCommit()
        for index in stored { afterwards.run { () throws(GranaryError) in try committed[index]?.publish() } }
        afterwards.run { () throws(GranaryError) in
            try documents?.prepareAgain(finished)
            try documents?.publish()
        }
        return (finished, error)
    }

    private func finishedReports() throws -> [ImportReport] {
        try zip(targets, reports).map { target, report in
            try target.finished(report ?? reportOfRefused(target))
        }
    }

    private func run(from index: Int, _ documents: (any ImportOutputs)?) throws {
        guard index < targets.count else {
            // All stores are checked and written, and none is committed. If all are new, nothing is stored before they
            // are renamed, so the documents are prepared later.
            if !isRefused, targets.contains(where: { !$0.isNew }) { try prepare(finishedReports(), documents) }
            return
        }
        let target = targets[index]
        var hasRunNext = false
        let outcome = try target.importer.commit(into: try target.opened()) { report in
            reports[index] = report
            hasRunNext = true
            try run(from: index + 1, documents)
            return isRefused ? .rollBack(()) : .commit(())
        }
        if outcome.isRolledBack {
            // Its report is made later.
            reports[index] = nil
        } else {
            reports[index] = outcome.report
            committed[index] = outcome
            if hasRunNext, !target.isNew { stored.append(index) }
            if outcome.report.isRefused { isRefused = true }
        }
        // A refused import or a dry run does not call the closure. The other stores are checked nevertheless.
        if !hasRunNext { try run(from: index + 1, documents) }
    }

    /// The report of a valid store in a plan that was refused because of another store. Its valid records count as
    /// skipped.
    private func reportOfRefused(_ target: StoreTarget) throws -> ImportReport {
        var run = target.plan.run
        run.isDryRun = true
        run.rejectsPath = nil
        var report = try Importer(jobs: target.plan.jobs, run: run).commit(into: try target.opened()).report
        report.isDryRun = target.plan.run.isDryRun
        for index in report.imports.indices { report.imports[index] = report.imports[index].leftOut }
        return report.leftOut
    }

    /// Prepares stores for shipping, new ones first, and then publishes the new stores.
    ///
    /// - Throws: only while nothing is stored. Later errors are recorded in `afterwards`.
    private func keep(
        _ reports: inout [ImportReport], _ documents: (any ImportOutputs)?, _ afterwards: inout AfterCommit
    ) throws {
        let kept = targets.indices.filter { !reports[$0].isDryRun }
        let (new, known) = (kept.filter { targets[$0].isNew }, kept.filter { !targets[$0].isNew })
        func ship(_ index: Int) throws(GranaryError) {
            let (target, isChanged) = (targets[index], targets[index].isNew || reports[index].changesStore)
            guard target.plan.ships else { return }
            reports[index].shipping = try target.ship(isChanged: isChanged)
        }
        for index in new {
            if stored.isEmpty {
                try ship(index)
            } else {
                afterwards.run { () throws(GranaryError) in try ship(index) }
            }
        }
        try prepare(reports, documents)
        for index in new {
            if stored.isEmpty, !targets.contains(where: \.isNewAndPublished) {
                try targets[index].publish()
            } else {
                afterwards.run { () throws(GranaryError) in try targets[index].publish() }
            }
        }
        for index in known { afterwards.run { () throws(GranaryError) in try ship(index) } }
    }
}

/// Runs steps after the commit. A step runs even if an earlier one failed.
struct AfterCommit {
    /// The first error.
    private(set) var failure: GranaryError?

    mutating func run(_ step: () throws(GranaryError) -> Void) {
        do throws(GranaryError) { try step() } catch { failure = failure ?? error }
    }
}

extension ImportReport {
    /// The report of a store that was rolled back: its valid records count as skipped.
    fileprivate var leftOut: ImportReport {
        var report = self
        report.isRefused = true
        report.skipped += report.created + report.updated + report.unchanged
        (report.created, report.updated, report.unchanged) = (0, 0, 0)
        (report.replaced, report.madeByLookup, report.nested, report.pruned) = (0, 0, 0, 0)
        (report.changes, report.changeCount, report.generated) = ([], 0, [])
        report.omittedReferences = []
        return report
    }
}
