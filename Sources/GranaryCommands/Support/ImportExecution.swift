import GranaryBase
import GranaryCoreDataStore
import GranaryImport
import GranarySeedPlans

/// Runs the imports of `granary import` and `granary seed`, with progress, messages and a report.
struct ImportExecution {
    /// The values of `--report`, `--report-all` and `--force`.
    let report: String?
    /// The value of `--html`.
    var page: String?
    let reportsAll: Bool
    let force: Bool
    let printing: ImportPrintingOptions
    /// Nil for none.
    var progress: ProgressOptions?
    /// The progress that is shown without `--progress`.
    var progressChoice = ProgressChoice.auto

    /// Changes the diagnostics before they are printed.
    var explained: ([Diagnostic]) throws -> [Diagnostic] = { $0 }

    /// - Parameters:
    ///   - plan: the path of the plan with the imports; nil without one.
    ///   - files: the files to read, for the progress.
    ///   - checked: called when the names in an import are checked, before its store is opened or created.
    ///   - opened: called when the stores are open.
    /// - Returns: the exit code.
    func run(
        _ imports: [StoreImport], plan: String? = nil, files: [String],
        checked: (StoreTarget) throws -> Void = { _ in }, opened: (StoreTarget) throws -> Void = { _ in }
    ) throws -> Int32 {
        var imports = imports
        let counts = ProgressOptions.counts(for: files)
        for index in imports.indices {
            imports[index].run.isDryRun = printing.isDryRun
            imports[index].run.replacesRejects = force
            imports[index].run.keepsAllDiagnostics =
                reportsAll || printing.limit > imports[index].run.diagnosticLimit
            imports[index].run.progress = counts
            if !imports[index].ships { imports[index].run.date = RunDate.now }
            if !printing.isQuiet { imports[index].run.announce = { CommandOutput.log("granary: \($0)") } }
            imports[index].run.cancellation = Cancellation.current
        }
        let targets = try self.targets(of: imports, plan)
        for target in targets { try checked(target) }
        // A report that cannot be created is an error before a store is changed.
        let permissions = imports.reduce(UInt32(0o666)) { $0 & SQLiteStore.permissions(ofStore: $1.store) }
        let documents = try ImportDocuments(
            report: report, page: page, reportsAll: reportsAll, replacing: force, permissions: permissions, printing)
        for target in targets { try target.open() }
        for target in targets { try opened(target) }
        let display = progress?.display(counts, isQuiet: printing.isQuiet, otherwise: progressChoice)
        defer { display?.stop() }
        var (reports, failure): ([ImportReport], GranaryError?)
        do { (reports, failure) = try StoreRun(targets).run(documents) } catch let error as GranaryError
            where error.code == .interrupted
        {
            throw Self.interrupted(counts.snapshot.rows, targets)
        }
        display?.stop()
        for index in reports.indices { reports[index].diagnostics = try explained(reports[index].diagnostics) }
        for (target, report) in zip(targets, reports)
        where target.isNew && !report.isRefused && !printing.isDryRun && !printing.isQuiet {
            CommandOutput.log(StoreImport.creationWarnings(target), limit: printing.limit)
        }
        return finish(reports, targets, isRevertible: imports.map(\.run.isRevertible), failure)
    }

    /// The error of an import that a signal has ended.
    private static func interrupted(_ rows: Int, _ targets: [StoreTarget]) -> GranaryError {
        let stores = targets.map { "\($0.plan.storeName) \($0.isNew ? "was not created" : "is unchanged")" }
        return GranaryError(
            .interrupted, "interrupted after reading \(CountText.count(rows, "row")); \(stores.joined(separator: ", "))"
        )
    }

    private func targets(of imports: [StoreImport], _ plan: String?) throws -> [StoreTarget] {
        var warnings: [Diagnostic] = []
        defer { CommandOutput.log(warnings, limit: DiagnosticOptions.defaultLimit) }
        return try StoreTarget.checked(imports, plan: plan, warnings: &warnings)
    }

    /// Prints the report of each store, and the sums of all as the last line.
    private func finish(
        _ reports: [ImportReport], _ targets: [StoreTarget], isRevertible: [Bool], _ failure: GranaryError?
    ) -> Int32 {
        var code = ExitCodes.success
        let stored = reports.filter { !$0.isRefused }.map(\.store).joined(separator: ", ")
        for (index, report) in reports.enumerated() {
            var options = printing
            options.isRevertible = isRevertible[index]
            if targets[index].plan.isInDatabase { options.isInOldDatabase = !targets[index].isNew }
            let failure = index == reports.count - 1 ? failure : nil
            code = max(code, ImportPrinting.finish(report, failure: failure, storedIn: stored, options: options))
        }
        if reports.count > 1 { CommandOutput.log(SeedReport(reports).sum.ledger) }
        return code
    }
}
