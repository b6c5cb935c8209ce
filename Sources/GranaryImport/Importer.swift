import Foundation
package import GranaryBase
public import GranaryContexts
package import GranaryCoordination
package import GranaryFormats
package import GranaryModel
public import GranaryRecords

/// Imports records into a store. Each row is checked against the model. By default an import is all-or-nothing.
///
/// ```swift
/// let importer = Importer(entity: "Patient", from: .file(URL(filePath: "patients.csv")), options: options)
/// let report = try await importer.run(into: container)
/// ```
///
/// A container keeps its stores open. To create or change only a file, import into the file. A new file appears only
/// if the import succeeds.
///
/// ```swift
/// let report = try await importer.run(into: URL(filePath: "Seed.sqlite"), model: model)
/// ```
///
/// ``ImportPipeline`` describes the stages of an import.
public struct Importer: Sendable {
    package let jobs: [ImportJob]
    package let run: ImportRunOptions

    /// Imports one or more sources of one entity.
    ///
    /// - Parameters:
    ///   - entity: the entity of the records; nil if the sources name their entities.
    ///   - sources: read in this order.
    public init(
        entity: String?, from sources: ImportSource..., options: ImportOptions = ImportOptions(),
        run: ImportRunOptions = ImportRunOptions()
    ) {
        self.init(jobs: [ImportJob(entity: entity, sources: sources, options: options)], run: run)
    }

    /// Imports several jobs in one transaction. References can point from one job to an earlier or later one.
    public init(jobs: [ImportJob], run: ImportRunOptions = ImportRunOptions()) {
        self.jobs = jobs
        self.run = run
    }

    /// Imports into the stores of a container: each entity into the first writable store that holds it. Cancelling the
    /// task rolls everything back.
    ///
    /// - Returns: what happened to every record. In ``ImportRunOptions/Mode/keepGood`` some can be rejected.
    /// - Throws: ``GranaryError``: `refused` with the diagnostics if the import was refused, and the store is then as
    ///   it was; `usage` for options that contradict each other or the model; `interrupted` after a cancellation; as
    ///   reading and writing throw.
    public func run(into container: PersistentContainer) async throws -> ImportReport {
        try await InBackground.run { cancellation in
            var run = run
            run.cancellation = run.cancellation ?? cancellation
            // Custom classes are not used to restore an export: they could change or reject its records.
            if !restoresAsIs { run.coordinator = container.persistentStoreCoordinator }
            let importer = Importer(jobs: jobs, run: run)
            let start = ContinuousClock.now
            let report = try container.withStore { store in try importer.run(into: store) }
            container.persistentStoreCoordinator.observer?.didImport(
                ExecutedImport(
                    read: report.read, created: report.created, updated: report.updated, rejected: report.rejected,
                    isRefused: report.isRefused, duration: ContinuousClock.now - start))
            return try Self.checked(report)
        }
    }

    private static func checked(_ report: ImportReport) throws(GranaryError) -> ImportReport {
        if report.isRefused {
            throw GranaryError(.refused, "nothing was imported: " + report.ledger, diagnostics: report.diagnostics)
        }
        return report
    }

    /// Checks that the model has the names in the options, before a source is opened.
    package func check(against schema: Schema) throws(GranaryError) {
        _ = try setUp(schema, .exactDecimals)
        try run.addedObjects?.check(against: schema)
    }

    /// The jobs resolved against the model, and the indexes of natural keys that they need.
    private struct Setup {
        var jobs: [ResolvedJob] = []
        var keys: KeyIndexes
        /// ``ImportRules/keepsNames``.
        var keepsNames = false
    }

    /// - Parameters:
    ///   - nests: whether records can contain objects; nil if the sources of each job determine it.
    ///   - expectsNestedRows: whether nested objects can become rows, or be written again. If not, reading throws
    ///     ``NestedRowFound`` for one.
    private func setUp(
        _ schema: Schema, _ capabilities: StoreCapabilities, nests: Bool? = nil, expectsNestedRows: Bool = true
    ) throws(GranaryError) -> Setup {
        if run.mode == .allOrNothing, run.rejectsPath != nil || run.maximumRejects != nil {
            throw GranaryError(
                .usage, "a rejects file and a limit of rejected records need the mode keep-good",
                help: "--mode keep-good")
        }
        if run.isRevertible, !run.keepsLedger {
            throw GranaryError(.usage, "a revertible run must be recorded in the ledger")
        }
        if restoresAsIs { try checkRestoring() }
        var resolved: [ResolvedJob] = []
        var imported: Set<Int> = []
        var recorded: Set<Int> = []
        for (number, job) in jobs.enumerated() {
            do throws(GranaryError) {
                if let problem = job.sources.lazy.compactMap(\.problem).first { throw problem }
                for source in job.sources { try source.sidecar?.check(entity: job.entity, schema, job.options) }
                let resolvedJob = try ResolvedJob(
                    job, number: number, schema: schema, capabilities: capabilities,
                    nests: nests ?? job.sources.contains(where: \.nests))
                if let coordinator = run.coordinator { resolvedJob.transformers = coordinator.transformers }
                resolved.append(resolvedJob)
                imported.formUnion(resolvedJob.entities.imported)
                recorded.formUnion(expectsNestedRows ? resolvedJob.entities.nested : resolvedJob.entities.records)
            } catch { throw error.placed(at: job.origin) }
        }
        var setup = Setup(jobs: resolved, keys: KeyIndexes(schema: schema, entities: imported, records: recorded))
        for job in resolved {
            do throws(GranaryError) { try job.track(in: &setup.keys) } catch {
                throw error.placed(at: job.job.origin)
            }
        }
        for job in resolved { job.noteUpdates(in: &setup.keys) }
        setup.keepsNames = expectsNestedRows && (nests ?? jobs.contains { $0.sources.contains(where: \.nests) })
        return setup
    }

    /// Whether a job restores an export as it is.
    private var restoresAsIs: Bool { jobs.contains(where: \.options.restoresAsIs) }

    private func checkRestoring() throws(GranaryError) {
        if run.mode == .keepGood {
            throw GranaryError(
                .usage, "an export is restored as it is as a whole; it cannot be combined with the mode keep-good")
        }
        for job in jobs {
            if !job.options.restoresAsIs {
                throw GranaryError(.usage, "if one import restores an export as it is, all imports of the run must")
                    .placed(at: job.origin)
            }
            if let problem = job.options.restoringProblem {
                throw GranaryError(.usage, problem).placed(at: job.origin)
            }
        }
    }

    /// Imports the records of the jobs' sources in one transaction.
    ///
    /// - Returns: the report. If it has ``ImportReport/isRefused``, the store is unchanged.
    /// - Throws: as ``commit(into:beforeCommit:)``.
    package func run(into store: any StoreBackend) throws -> ImportReport {
        try commit(into: store).published()
    }

    /// Imports the records of the jobs' sources in one transaction. The caller publishes the rejects file.
    ///
    /// - Parameter beforeCommit: called with the report when everything is checked and written and only the commit
    ///   remains. It is not called for a refused import or a dry run. If it throws, the transaction is rolled back.
    /// - Throws: ``GranaryError``: `usage` for options that do not fit the model, `interrupted` after a cancellation,
    ///   or as reading and writing throw.
    package func commit(
        into store: any StoreBackend,
        beforeCommit: (ImportReport) throws -> TransactionEnd<Void> = { _ in .commit(()) }
    ) throws -> CommittedImport {
        if run.rejectsPath != nil {
            // The rejects file must have the records as they were read, and a file can change during the import.
            let spool = ByteSpool(keepsFiles: true)
            for source in jobs.flatMap(\.sources) { source.keepBytes(in: spool) }
        }
        // Most documents refer to objects by keys. References are then resolved while records are read.
        let sources = jobs.flatMap(\.sources)
        var rereading = Rereading(isPossible: sources.contains(where: \.nests) && sources.allSatisfy(\.canBeReadAgain))
        var expectsNestedRows = !rereading.isPossible
        var readings = 1
        while true {
            do {
                return try attempt(
                    into: store, expectsNestedRows: expectsNestedRows, rereading: rereading, beforeCommit)
            } catch is NestedRowFound where !expectsNestedRows {
                expectsNestedRows = true
            } catch let needed as RereadingNeeded {
                rereading.rejected.merge(needed.rejected) { known, _ in known }
                rereading.isPossible = readings < Rereading.limit
            }
            // The transaction was rolled back.
            readings += 1
            run.progress?.startAgain()
        }
    }

    private func attempt(
        into store: any StoreBackend, expectsNestedRows: Bool, rereading: Rereading,
        _ beforeCommit: (ImportReport) throws -> TransactionEnd<Void>
    ) throws -> CommittedImport {
        let setup = try setUp(store.schema, store.capabilities, expectsNestedRows: expectsNestedRows)
        // The thread that reads must not retain the store: a store that is not published is removed when it is released.
        let schema = store.schema
        let inputs = setup.jobs.flatMap { job in
            job.job.sources.map { source in
                ImportInput(
                    job: job, nests: source.nests, entities: job.importedEntities(of: source),
                    sidecar: source.sidecar,
                    open: { () throws(GranaryError) in
                        try source.reader(jobEntity: job.job.entity, in: schema)
                    })
            }
        }
        return try run(inputs, setup, into: store, rereading: rereading, beforeCommit)
    }

    /// Imports the records of several readers in one transaction.
    package func run(_ readers: [any RecordReader], into store: any StoreBackend) throws -> ImportReport {
        guard jobs.count == 1 else {
            throw GranaryError(.usage, "readers are imported by a single job; set the sources of several jobs")
        }
        let nests = readers.map { $0.abilities?.nests ?? true }
        let setup = try setUp(
            store.schema, store.capabilities, nests: nests.contains(true))
        let inputs = zip(readers, nests).map { reader, nests in
            ImportInput(
                job: setup.jobs[0], nests: nests, entities: setup.jobs[0].entities.imported,
                open: { () throws(GranaryError) in reader })
        }
        return try run(inputs, setup, into: store) { _ in .commit(()) }.published()
    }

    private func run(
        _ inputs: [ImportInput], _ setup: Setup, into store: any StoreBackend, rereading: Rereading = Rereading(),
        _ beforeCommit: (ImportReport) throws -> TransactionEnd<Void>
    ) throws -> CommittedImport {
        let rejects = try run.rejectsPath.map { path throws(GranaryError) in
            var protected = run.protectedFiles
            protected.add(jobs.flatMap { $0.sources.map(\.name) }, as: "the input")
            return try RejectsFile(
                path: path, format: run.rejectsFormat, protecting: protected, replacesOthers: run.replacesRejects,
                permissions: run.outputPermissions)
        }
        let pipeline = ImportPipeline(
            store: store, run: run, jobs: setup.jobs, keys: setup.keys, keepsNames: setup.keepsNames,
            rereading: rereading, inputs: inputs, rejects: rejects)
        let isFinished: Bool
        do { isFinished = try Self.transaction(store, pipeline, run, beforeCommit) } catch {
            rejects?.discard()
            throw error
        }
        if !isFinished { rejects?.discard() }
        guard let report = pipeline.report else {
            throw GranaryError(.internalDefect, "the import ended without a report")
        }
        return CommittedImport(report: report, isRolledBack: !isFinished, rejects: rejects)
    }
}

extension Importer {
    /// Runs the import in one transaction. If the store refuses rows and valid rows are stored, it runs again in
    /// another one.
    ///
    /// - Returns: false if `beforeCommit` rolled back.
    private static func transaction(
        _ store: any StoreBackend, _ pipeline: ImportPipeline, _ run: ImportRunOptions,
        _ beforeCommit: (ImportReport) throws -> TransactionEnd<Void>
    ) throws -> Bool {
        for _ in 0..<transactionLimit {
            let outcome = try store.transaction(
                recording: run.isRevertible ? pipeline.identifier : nil,
                ending: { writer in
                    try pipeline.run(writer, beforeCommit)
                })
            switch outcome {
            case .finished: return true
            case .rolledBack: return false
            case .writeAgain: continue
            }
        }
        throw GranaryError(.refused, "the store refused rows in \(transactionLimit) transactions; nothing was imported")
    }

    /// The maximum number of transactions. Each omits the rows that the store refused in the one before.
    private static let transactionLimit = 100
}

extension GranaryError {
    /// A copy of the error with the position in a plan.
    fileprivate func placed(at origin: SourcePosition?) -> GranaryError {
        guard let origin else { return self }
        var error = self
        if error.diagnostics.isEmpty {
            error.diagnostics = [Diagnostic(.planSyntax, message, at: origin, help: help)]
            error.help = nil
        } else {
            for index in error.diagnostics.indices where error.diagnostics[index].position == nil {
                error.diagnostics[index].position = origin
            }
        }
        return error
    }
}
