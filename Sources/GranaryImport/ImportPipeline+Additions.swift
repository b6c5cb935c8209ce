import GranaryBase
import GranaryCoordination

extension ImportPipeline {
    /// Runs an import that adds objects and has no records.
    func add(
        _ added: any AddedObjects, _ writer: any StoreWriter,
        _ beforeCommit: (ImportReport) throws -> TransactionEnd<Void>
    ) throws -> TransactionEnd<Outcome> {
        run.progress?.begin(.generating)
        var report = ImportReport()
        report.generated = try added.add(to: store, writer, cancellation: run.cancellation) {
            try writer.chooseLoader(run.loader.rowLoader)
        }
        report.isDryRun = run.isDryRun
        let loaders = writer.bulk?.usedLoaders.map(\.rawValue).sorted() ?? []
        report.loader = loaders.isEmpty ? nil : loaders.joined(separator: "+")
        let isKept = !run.isDryRun && !report.generated.isEmpty
        report.changesStore = isKept
        if isKept, run.keepsLedger {
            report.run = identifier
            var counts = ImportRun.Counts()
            counts.created = report.generated.reduce(0) { $0 + $1.count }
            try writer.recordRun(
                ImportRun(id: identifier, counts: counts, sources: [], isRevertible: run.isRevertible))
        }
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        self.report = report
        try run.cancellation?.check()
        // Not called for a dry run, as for an import.
        guard !run.isDryRun else { return .rollBack(.finished) }
        guard case .commit = try beforeCommit(report) else { return .rollBack(.rolledBack) }
        guard isKept else { return .rollBack(.finished) }
        run.progress?.begin(.committing)
        return .commit(.finished)
    }
}
