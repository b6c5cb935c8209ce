import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPersistence

/// One source of an import, opened when its turn comes.
struct ImportInput {
    let job: JobState
    /// Whether records may have objects inside.
    let nests: Bool
    let open: () throws(GranaryError) -> any RecordReader
}

/// What an import does inside its transaction.
final class ImportTransaction {
    /// Ends the transaction without keeping what it wrote.
    struct TakenBack: Error {}

    private let store: any PersistentStore
    private let schema: Schema
    private let run: ImportRunOptions
    private let states: [JobState]
    private let inputs: [ImportInput]
    private let rejects: RejectsFile?
    /// The run's name in the store's ledger.
    private(set) var identifier: String
    private(set) var report: ImportReport?

    init(
        store: any PersistentStore, run: ImportRunOptions, states: [JobState], inputs: [ImportInput],
        rejects: RejectsFile?
    ) {
        self.store = store
        self.run = run
        self.states = states
        self.inputs = inputs
        self.rejects = rejects
        schema = store.schema
        identifier = Self.nextIdentifier(store.importRuns.map(\.id))
    }

    /// One more than the last run's: the same runs on the same store have the same names.
    private static func nextIdentifier(_ known: [String]) -> String {
        let last = known.compactMap { id in id.hasPrefix("run-") ? Int(id.dropFirst(4)) : nil }.max() ?? 0
        return "run-\(last < Int.max ? last + 1 : last)"
    }

    /// - Parameter beforeCommit: called with the report when everything is checked and written, including the rejects file, and
    /// only the commit remains. It is not called for a refused import or a dry run.
    /// - Throws: ``TakenBack`` where nothing is to be kept; ``report`` says why.
    func run(_ writer: any StoreWriter, _ beforeCommit: (ImportReport) throws -> Void) throws {
        let start = ContinuousClock.now
        // Another import may have been waited for.
        if !run.isRevertible { identifier = Self.nextIdentifier(try writer.importLedger().runs.map(\.id)) }
        let session = try makeSession(writer)
        let rows = RowWriter(
            schema: schema, store: store, writer: writer, keepsGood: session.keepsGood,
            changes: ChangeLog(limit: run.diagnosticLimit), lastKeys: session.keysGiven.last)
        try pump(session, rows)
        session.checkIgnored()
        run.progress?.setStage("linking")
        let ending = ImportEnding(session: session, rows: rows, store: store)
        try ending.run()
        try checkMaximum(session)
        try run.cancellation?.check()
        var report = try makeReport(session, rows, ending)
        let isKept = !report.isRefused && !run.isDryRun
        let changesSomething =
            report.created > 0 || report.updated > 0 || report.pruned > 0 || report.madeByLookup > 0
            || session.nestedInserts > 0 || rows.changedCount > 0
        if isKept, changesSomething {
            for (root, key) in ending.lastKeys { try writer.reserveKeys(root: root, through: key) }
            try writer.completeOrder()
            if run.keepsLedger {
                report.run = identifier
                try writer.recordRun(ledgerEntry(report, session))
            }
        }
        guard isKept else {
            rejects?.discard()
            report.seconds = (ContinuousClock.now - start) / .seconds(1)
            self.report = report
            throw TakenBack()
        }
        run.progress?.setStage("writing rejects")
        report.rejects = try writeRejects(session)
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        self.report = report
        // The rejects files are renamed last before the commit, after `beforeCommit` has committed the other stores of a plan.
        try run.cancellation?.check()
        try beforeCommit(report)
        // Nothing at all is written then, the ledger and the images of before included.
        guard changesSomething else { throw TakenBack() }
        try rejects?.place()
        run.progress?.setStage("committing")
    }

    private func makeSession(_ writer: any StoreWriter) throws -> ImportSession {
        var imported: Set<Int> = []
        for input in inputs { imported.formUnion(input.job.importedEntities(nests: input.nests)) }
        var keys = TrackedKeys(schema: schema, entities: imported)
        // The look-ups' indexes are made before anything is read, so that the store is read before it is written.
        for state in states {
            let nests = inputs.contains { $0.job === state && $0.nests }
            try state.track(in: &keys, entities: state.importedEntities(nests: nests))
        }
        for state in states { state.noteUpdates(in: &keys) }
        var isEmpty = true
        for entity in schema.entities where isEmpty { isEmpty = try store.count(entity: entity.index) == 0 }
        if !isEmpty { try keys.load(from: store) }
        for state in states where state.options.prunes {
            for entity in state.entity?.family ?? 0..<0 { state.storedCount += try store.count(entity: entity) }
        }
        var lastKeys: [Int: Int64] = [:]
        for root in schema.entities where root.superentity == nil {
            lastKeys[root.index] = try writer.reserveKeys(root: root.index, count: 0) - 1
        }
        return ImportSession(
            schema: schema, run: run, jobs: states, keys: keys, lastKeys: lastKeys, keepsIdentifiers: isEmpty,
            rejectsFile: rejects)
    }

    /// Reads on a thread of its own, writes on this one.
    private func pump(_ session: ImportSession, _ rows: RowWriter) throws {
        let queue = BatchQueue()
        let work = ReadingWork(inputs: inputs, session: session)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            work.run(into: queue)
            queue.finish()
            done.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
        var failure: (any Error)?
        while true {
            if run.cancellation?.isCancelled ?? false {
                // The reading thread ends at its next record, or stays behind where its source gives no more bytes;
                // nobody uses what it has.
                queue.stop()
                try run.cancellation?.check()
            }
            let batch: ImportBatch
            switch queue.take() {
            case .batch(let next): batch = next
            case .nothingYet: continue
            case .end:
                done.wait()
                if let failure { throw failure }
                try run.cancellation?.check()
                if let failure = work.failure { throw failure }
                return
            }
            if work.isRefused.value || (!session.keepsGood && !rows.refused.isEmpty) { rows.isWriting = false }
            if failure == nil {
                do { try rows.write(batch) } catch {
                    failure = error
                    queue.stop()
                }
            }
            queue.giveBack(batch)
        }
    }

    private func checkMaximum(_ session: ImportSession) throws {
        guard session.keepsGood, let maximum = run.maximumRejects, session.rejectedCount > maximum else { return }
        session.addFatal(
            Diagnostic(
                .limitExceeded, "\(session.rejectedCount) records are rejected, and --max-rejects allows \(maximum)"))
    }

    // MARK: What is said about it

    private func makeReport(
        _ session: ImportSession, _ rows: RowWriter, _ ending: ImportEnding
    ) throws -> ImportReport {
        let parts = try ending.reports()
        var report = parts.count == 1 ? parts[0] : ImportReport()
        if parts.count > 1 {
            for part in parts {
                report.read += part.read
                report.created += part.created
                report.updated += part.updated
                report.unchanged += part.unchanged
                report.skipped += part.skipped
                report.rejected += part.rejected
                report.nested += part.nested
                report.skippedBlankLines += part.skippedBlankLines
            }
            report.isRefused = session.isRefused
            report.imports = parts
        }
        report.isDryRun = run.isDryRun
        report.diagnostics = Self.sorted(session.collector, files: session.files)
        report.endings = session.endings
        report.allDiagnostics = session.spool
        if session.collector.isCut {
            let known = Set(report.diagnostics)
            report.diagnostics += session.endings.filter { !known.contains($0) }
        }
        report.diagnosticCount = session.collector.count
        report.errorCount = session.collector.errorCount
        var groups = DiagnosticCollector(limit: 0)
        // The first places of each rule are then the first in the files, too.
        if !session.collector.isCut { groups.add(contentsOf: report.diagnostics) }
        report.rules = session.collector.isCut ? session.collector.groups : groups.groups
        guard !report.isRefused else { return report }
        report.replaced = rows.replaced
        report.madeByLookup = ending.madeByLookup
        report.pruned = ending.pruned
        report.changes = try rows.changes.report(schema, files: session.files, store)
        report.changeCount = rows.changes.count
        return report
    }

    /// In the order of the files and their lines: what is found out at the end stands beside what was seen at once. A cut
    /// list keeps the order of finding, since what is missing from it could be anywhere.
    private static func sorted(_ collector: DiagnosticCollector, files: [String]) -> [Diagnostic] {
        guard !collector.isCut else { return collector.diagnostics }
        let places = Dictionary(files.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        func key(_ diagnostic: Diagnostic) -> (Int, Int, Int) {
            guard let position = diagnostic.position else { return (.max, 0, 0) }
            return (places[position.file] ?? .max - 1, position.line, position.column)
        }
        return collector.diagnostics.enumerated().sorted { left, right in
            let (one, other) = (key(left.element), key(right.element))
            return one == other ? left.offset < right.offset : one < other
        }.map(\.element)
    }

    /// Writes the rejected records to files with temporary names.
    ///
    /// - Returns: the paths that the files will have.
    private func writeRejects(_ session: ImportSession) throws -> [String] {
        guard let rejects else { return [] }
        var file: Int32 = 0
        var all: [RejectsFile.Rejected] = []
        for state in states {
            for source in state.job.sources {
                let records = state.rejected[file] ?? RejectedRecords()
                all.append((source: source, job: state.job, records: records))
                file += 1
            }
        }
        return try rejects.write(all) { reader, job throws(GranaryError) in
            // The second reading must cut records as the first one did.
            let entity = job.entity.flatMap { self.schema.entity(named: $0) }
            CSVReader.find(in: reader)?.judge = try ColumnJudge.make(
                for: reader, options: job.options, entity: entity, schema: self.schema)
            PropertyGuide.guide(reader, options: job.options, entity: entity, schema: self.schema)
        }
    }

    private func ledgerEntry(_ report: ImportReport, _ session: ImportSession) -> ImportRun {
        var counts = ImportRun.Counts()
        counts.read = report.read
        counts.created = report.created
        counts.updated = report.updated
        counts.unchanged = report.unchanged
        counts.skipped = report.skipped
        counts.rejected = report.rejected
        counts.pruned = report.pruned
        counts.madeByLookup = report.madeByLookup
        return ImportRun(
            id: identifier,
            counts: counts,
            sources: session.digests.map { ImportRun.Source(name: $0.name, digest: $0.digest) },
            isRevertible: run.isRevertible)
    }
}
