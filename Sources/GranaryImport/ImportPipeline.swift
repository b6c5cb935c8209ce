import Foundation
import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// An import in one transaction. Each phase receives the result of the one before it, and adds to ``ImportProblems``:
///
/// 1. **Read**, giving a ``ReadImport``. A separate thread turns records into parsed rows (``ImportReader``). Rows
///    stream to the store as long as no later record can cause their rejection and no reference waits. After that they
///    go to a spool (``RowSpool``).
/// 2. **Resolve**, giving a ``ResolvedImport``. After all records are read, ``ImportResolution`` decides which records
///    are accepted and resolves their references. It does not change the store.
/// 3. **Write**, giving the counts of an ``ImportReport``. ``ImportWriter`` writes accepted rows once, in the order of
///    their primary keys and with their references (``RowWriter``), then lists (``LinkWriter``). Then objects that no
///    record names are pruned (``Pruner``).
///
/// Written rows are only removed by rolling the transaction back.
final class ImportPipeline {
    /// The result of one transaction.
    enum Outcome {
        /// ``ImportPipeline/report`` is complete.
        case finished
        /// The caller rolled back.
        case rolledBack
        /// The store refused rows. The import must be resolved and written again without them in another transaction.
        case writeAgain
    }

    let store: any StoreBackend
    private let schema: Schema
    let run: ImportRunOptions
    private let jobs: [ResolvedJob]
    /// The indexes of natural keys that the jobs need, without the stored objects.
    private let keys: KeyIndexes
    /// ``ImportRules/keepsNames``.
    private let keepsNames: Bool
    private let rereading: Rereading
    private let inputs: [ImportInput]
    private let rejects: RejectsFile?
    private let problems: ImportProblems
    /// The run's name in the store's ledger.
    var identifier: String
    var report: ImportReport?
    /// What was read, for the next transaction.
    private var read: ReadImport?
    /// The records that were rejected and reported before the store refused rows.
    private var rejected: RejectedRecordSet?
    /// The records that were rejected when their rows were written.
    private var rejectedInWriting: [(record: RecordID, problem: Diagnostic)] = []
    let start = ContinuousClock.now

    init(
        store: any StoreBackend, run: ImportRunOptions, jobs: [ResolvedJob], keys: KeyIndexes,
        keepsNames: Bool, rereading: Rereading, inputs: [ImportInput], rejects: RejectsFile?
    ) {
        self.store = store
        self.run = run
        self.jobs = jobs
        self.keys = keys
        self.keepsNames = keepsNames
        self.rereading = rereading
        self.inputs = inputs
        self.rejects = rejects
        problems = ImportProblems(run, jobs: jobs, rejectsFile: rejects)
        schema = store.schema
        identifier = Self.nextIdentifier(store.importRuns.map(\.id))
    }

    /// The number after the last run's, so that equal runs on equal stores have equal names.
    private static func nextIdentifier(_ known: [String]) -> String {
        let last = known.compactMap { id in id.hasPrefix("run-") ? Int(id.dropFirst(4)) : nil }.max() ?? 0
        return "run-\(last < Int.max ? last + 1 : last)"
    }

    /// Runs the import in the transaction of `writer`; after ``Outcome/writeAgain``, again in another transaction.
    ///
    /// - Parameter beforeCommit: called with the report when everything is checked and written, including the rejects
    ///   file, and only the commit remains. It is not called for a refused import or a dry run.
    func run(
        _ writer: any StoreWriter, _ beforeCommit: (ImportReport) throws -> TransactionEnd<Void>
    ) throws -> TransactionEnd<Outcome> {
        // Another import may have ended since the identifier was computed.
        if !run.isRevertible { identifier = Self.nextIdentifier(try writer.importLedger().runs.map(\.id)) }
        if jobs.isEmpty, let added = run.addedObjects { return try add(added, writer, beforeCommit) }
        // Unique indexes that only the store has must refuse single rows, so they cannot be deferred. The code that
        // adds objects searches unique values in the indexes, so it needs them from the start.
        if try run.addedObjects == nil && !store.mayRefuseRows() { writer.bulk?.deferIndexes() }
        if jobs.contains(where: \.options.restoresAsIs) { try writer.bulk?.suspendCounts(includingTimes: false) }
        let (read, rows) = try read(writer)
        // The indexes are completed first, because ImportResolution reads links with them.
        if !read.spool.isEmpty || !read.references.references.isEmpty { try writer.bulk?.completeIndexes() }
        run.progress?.begin(.resolving)
        let resolution = try ImportResolution(
            read, problems, store: store, rejected: rejected, rejectedInWriting: rejectedInWriting)
        let resolved = try resolution.run()
        if rereading.isPossible, let found = resolution.rejectedForRereading { throw RereadingNeeded(rejected: found) }
        let written = ImportWriter(resolved, problems, rows)
        if !problems.isRefused {
            run.progress?.begin(.writing)
            try written.write(run)
        }
        if take(rows.rejections, written.rejections, resolved) { return .rollBack(.writeAgain) }
        let pruning = Pruning(read, problems, run)
        if !problems.isRefused {
            try written.finish(pruning)
            try writer.bulk?.resumeCounts()
        }
        var generated: [EntityCount] = []
        if !problems.isRefused, let added = run.addedObjects {
            run.progress?.begin(.generating)
            for (root, key) in written.lastKeys { try writer.reserveKeys(root: root, through: key) }
            generated = try added.add(to: store, writer, cancellation: run.cancellation) {}
        }
        if !problems.isRefused, let coordinator = run.coordinator {
            run.progress?.begin(.validating)
            try rows.objects.run(coordinator, store: store, writer: writer, run.cancellation, reject: rows.reject)
            if take(rows.rejections, [], resolved) { return .rollBack(.writeAgain) }
        }
        try run.cancellation?.check()
        var report = try makeReport(written, pruning)
        report.generated = generated
        let isKept = !report.isRefused && !run.isDryRun
        let changesSomething =
            report.created > 0 || report.updated > 0 || report.pruned > 0 || report.madeByLookup > 0
            || rows.counts.hasOthers || !generated.isEmpty
        report.changesStore = isKept && changesSomething
        if report.changesStore {
            for (root, key) in written.lastKeys { try writer.reserveKeys(root: root, through: key) }
            try writer.completeOrder()
            if run.keepsLedger {
                report.run = identifier
                try writer.recordRun(ledgerEntry(report, read.sources))
            }
        }
        guard isKept else {
            rejects?.discard()
            report.seconds = (ContinuousClock.now - start) / .seconds(1)
            self.report = report
            return .rollBack(.finished)
        }
        run.progress?.begin(.writingRejects)
        report.rejects = try rejects?.write(read.sources.rejected) ?? []
        report.rejectedObjects = rejects?.nestedColumns.sorted() ?? []
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        self.report = report
        // The rejects files are renamed last before the commit, after `beforeCommit` has committed the other stores of
        // a plan.
        try run.cancellation?.check()
        guard case .commit = try beforeCommit(report) else { return .rollBack(.rolledBack) }
        // Without changes nothing is written, not even the ledger.
        guard changesSomething else { return .rollBack(.finished) }
        try rejects?.place()
        run.progress?.begin(.committing)
        return .commit(.finished)
    }

    // MARK: Reading

    /// Reads all sources. A second transaction uses what the first one read.
    private func read(_ writer: any StoreWriter) throws -> (ReadImport, RowWriter) {
        if let read {
            guard try writer.storeVersion() == read.storeVersion else {
                throw GranaryError(
                    .busy,
                    "the store was changed by another program during the import; nothing was imported, run it again")
            }
            return (read, rowWriter(writer, read.keysBefore))
        }
        let reader = try makeImportReader(writer)
        try writer.chooseLoader(run.loader.rowLoader)
        reader.workers.encoder = writer.bulk?.rowEncoder
        let rows = rowWriter(writer, reader.primaryKeys)
        let spool = RowSpool(folder: store.folder)
        let keysBefore = reader.primaryKeys
        try pump(reader, spool, rows)
        reader.checkIgnored()
        reader.warnOfSpaces()
        reader.known.made.noteKeys(in: &reader.primaryKeys)
        let read = ReadImport(reader, spool, keysBefore: keysBefore, storeVersion: try writer.storeVersion())
        self.read = read
        return (read, rows)
    }

    private func rowWriter(_ writer: any StoreWriter, _ keys: PrimaryKeys) -> RowWriter {
        RowWriter(
            schema: schema, store: store, writer: writer, changes: ChangeLog(limit: run.diagnosticLimit),
            lastKeys: keys.last, objectEntities: run.objectEntities)
    }

    private func makeImportReader(_ writer: any StoreWriter) throws -> ImportReader {
        // The indexes are loaded before rows are written.
        var keys = keys
        var isEmpty = true
        for entity in schema.entities where isEmpty { isEmpty = try store.count(entity: entity.index) == 0 }
        let rules = ImportRules(
            run, jobs, keepsIdentifiers: isEmpty, keepsNames: keepsNames,
            rejectedBefore: rereading.rejected)
        guard isEmpty || !rules.restores else {
            throw GranaryError(
                .refused, "the store has objects; an export can be restored as it is only into a store without objects")
        }
        if !isEmpty { try keys.load(from: store) }
        for job in jobs where job.options.prunes {
            for entity in schema.entities.indices { job.counts.stored[entity] = try store.count(entity: entity) }
        }
        var lastKeys: [Int: Int64] = [:]
        for root in schema.entities where root.superentity == nil {
            // The keys of deleted objects are free for restored ones.
            lastKeys[root.index] = rules.restores ? 0 : try writer.reserveKeys(root: root.index, count: 0) - 1
        }
        let reader = ImportReader(
            schema: schema, run: run, rules: rules, problems: problems, jobs: jobs, keys: keys, lastKeys: lastKeys,
            storeMayRefuse: try store.mayRefuseRows())
        if !isEmpty {
            try reader.context.loadIdentifiers(of: namedEntities, from: store)
            reader.ownedObjects = try OwnedObjects(
                of: jobs.flatMap(\.owningRelationships), schema, store)
        }
        return reader
    }

    /// The entities whose stored objects records and references name by `$id`; empty unless it is a key.
    private var namedEntities: Set<Int> {
        let jobs = jobs.filter { !$0.identifiedEntities.isEmpty }
        var named: Set<Int> = []
        for entity in jobs.flatMap(\.entities.imported) {
            named.insert(entity)
            for relationship in schema.entities[entity].relationships {
                named.formUnion(schema.entities[relationship.destination].family)
            }
        }
        return named.filter { !schema.entities[$0].isAbstract }
    }

    /// Reads on another thread, and writes or spools rows on this one.
    private func pump(_ reader: ImportReader, _ spool: RowSpool, _ rows: RowWriter) throws {
        let queue = BatchQueue()
        let work = ReadingWork(inputs: inputs, reader: reader)
        let done = DispatchSemaphore(value: 0)
        let cancellation = run.cancellation
        let thread = Thread {
            Cancellation.$current.withValue(cancellation) { work.run(into: queue) }
            queue.finish()
            done.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
        var failure: (any Error)?
        while true {
            if run.cancellation?.isCancelled ?? false {
                // The reading thread ends at its next record, or stays blocked if its source is a pipe that sends no
                // more bytes. Its data is no longer used.
                queue.stop()
                try run.cancellation?.check()
            }
            let batch: ParsedRows
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
            // After the first error of an all-or-nothing import, rows are only checked.
            let isRefused = work.isRefused.value || run.mode == .allOrNothing && !rows.rejections.isEmpty
            if failure == nil, !isRefused {
                do {
                    if batch.waits {
                        run.progress?.addWaiting(rows: batch.rows.rows.count)
                        try spool.append(batch)
                    } else {
                        try rows.write(batch)
                    }
                } catch {
                    failure = error
                    queue.stop()
                }
            }
            queue.giveBack(batch)
        }
    }

    // MARK: Records rejected in writing

    /// Rejects the records whose rows the store refused, and the records whose objects cannot be saved.
    ///
    /// - Returns: whether the import must be resolved again.
    private func take(
        _ rejections: [RowWriter.Rejection], _ lookups: [(record: RecordID, problem: Diagnostic)],
        _ resolved: ResolvedImport
    ) -> Bool {
        guard !rejections.isEmpty || !lookups.isEmpty else { return false }
        let read = resolved.read
        var found = lookups
        for rejection in rejections {
            var problems = rejection.error.diagnostics
            if problems.isEmpty {
                problems = [
                    Diagnostic(.storeRefused, rejection.error.message, entity: schema.entities[rejection.entity].name)
                ]
            }
            for problem in problems {
                var problem = problem
                problem.position = rejection.place.position(files: read.sources.files)
                found.append((RecordID(rejection.place), problem))
            }
        }
        if run.mode == .keepGood, rejections.allSatisfy({ read.stream.isWaiting($0.place) }) {
            guard !problems.isRefused else { return false }
            rejected = resolved.rejected
            rejectedInWriting = found
            return true
        }
        for (record, problem) in found {
            if run.mode == .keepGood { problems.addFatal(problem) } else { problems.add(problem) }
            problems.reject(file: record.file, record: record.record, of: read.sources.job(of: record))
        }
        return false
    }

    // MARK: Report

    private func makeReport(_ written: ImportWriter, _ pruning: Pruning) throws -> ImportReport {
        let parts = try written.reports()
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
                report.omittedReferences += part.omittedReferences
            }
            report.omittedReferences = OmittedReferences.sums(report.omittedReferences)
            report.isRefused = problems.isRefused
            report.imports = parts
        }
        report.isDryRun = run.isDryRun
        report.take(problems, files: written.resolved.read.sources.files)
        guard !report.isRefused else { return report }
        let loaders = written.rows.writer.bulk?.usedLoaders.map(\.rawValue).sorted() ?? []
        report.loader = loaders.isEmpty ? nil : loaders.joined(separator: "+")
        report.objects = written.rows.objects.count
        report.replaced = written.rows.counts.replaced
        report.madeByLookup = written.madeByLookup
        report.pruned = pruning.pruned
        report.changes = try written.rows.changes.report(schema, files: written.resolved.read.sources.files, store)
        report.changeCount = written.rows.changes.count
        return report
    }

    private func ledgerEntry(_ report: ImportReport, _ sources: ImportSources) -> ImportRun {
        var counts = ImportRun.Counts()
        counts.read = report.read
        counts.created = report.created
        counts.updated = report.updated
        counts.unchanged = report.unchanged
        counts.skipped = report.skipped
        counts.rejected = report.rejected
        counts.pruned = report.pruned
        counts.madeByLookup = report.madeByLookup
        var entry = ImportRun(
            id: identifier,
            counts: counts,
            sources: sources.digests.map { ImportRun.Source(name: $0.name, digest: $0.digest) },
            isRevertible: run.isRevertible)
        entry.date = run.date
        return entry
    }
}
