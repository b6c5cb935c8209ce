import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoreDataStore
import GranarySeeding

/// `granary seed`: runs the imports of a seed plan.
struct SeedCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Runs a seed plan: many imports into one or several stores.",
        discussion: HelpText.paragraphs(
            """
            A plan is a YAML file with the model, the store, and the imports with their options. Its paths are relative
            to its folder. All imports into a store are one transaction, and references can point to later imports.
            Nothing is committed before all imports into all stores are checked.

            Examples:
              granary seed seed.yaml
              granary seed seed.yaml --set DATA=2026-03 --dry-run
            """))

    @Argument(help: ArgumentHelp("The plan.", valueName: "plan"), completion: .file())
    var plan: String

    @Option(
        help: ArgumentHelp(
            "A variable, which overrides the plan's own; repeatable.", valueName: "name=value"))
    var set: [String] = []

    @Option(
        help: ArgumentHelp("Write the report as JSON to this file; - is standard output.", valueName: "file"),
        completion: .file())
    var report: String?

    @Option(help: "The format of diagnostics; json is one object a line, sarif a document on standard output.")
    var diagnostics: DiagnosticFormat?

    @Flag(help: "Write all diagnostics to the report, not only the first 10,000.")
    var reportAll = false

    @Flag(help: "Run the imports, then roll them back.")
    var dryRun = false

    @Flag(help: "Replace an existing report, and a rejects file that Granary did not write or that was edited since.")
    var force = false

    @Flag(help: "Add no entry to the stores' ledgers of runs, whatever the plan says.")
    var noLedger = false

    @Flag(help: "Print errors and the last line only.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Wait at most this long for a store that is in use (default: as in the plan, or 5).", valueName: "seconds"))
    var busyTimeout: Double?

    @OptionGroup var progressOptions: ProgressOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        _ = try variables()
        if let busyTimeout, !(0...86_400).contains(busyTimeout) {
            throw ValidationError("--busy-timeout must be a number of seconds from 0 to 86400.")
        }
        var files = ProtectedFiles()
        files.add(plan, as: "the plan")
        try OutputArgument.check([("--report", report)], against: files)
    }

    func run() throws {
        var printing = ImportPrintingOptions()
        printing.format = diagnostics ?? .text
        printing.maxDiagnostics = diagnosticOptions.given
        printing.isQuiet = quiet
        printing.isDryRun = dryRun
        let code: Int32
        do {
            let plan = try SeedPlan(path: plan, variables: try variables())
            // The options of the command line override the plan's.
            var command = self
            command.report = report ?? plan.settings.report
            command.reportAll = reportAll || plan.settings.reportsAll
            command.force = force || plan.settings.force
            command.dryRun = dryRun || plan.settings.isDryRun
            command.quiet = quiet || plan.settings.isQuiet
            printing.format = diagnostics ?? plan.settings.diagnostics.flatMap(DiagnosticFormat.init) ?? .text
            printing.maxDiagnostics = diagnosticOptions.given ?? plan.settings.maxDiagnostics
            printing.isQuiet = command.quiet
            printing.isDryRun = command.dryRun
            code = try command.run(plan, printing)
        } catch let error as GranaryError {
            code = ImportPrinting.fail(error, options: printing)
        }
        if code != ExitCodes.success { throw ExitCode(code) }
    }

    private func run(_ seedPlan: SeedPlan, _ printing: ImportPrintingOptions) throws -> Int32 {
        var stores = try seedPlan.storeImports()
        try checkReport(against: stores)
        let interrupt = InterruptWatch()
        defer { interrupt.stop() }
        let names = stores.flatMap(\.sourceNames)
        let counts = ProgressOptions.counts(for: names.filter { $0 != plan })
        for index in stores.indices {
            stores[index].run.isDryRun = dryRun
            if noLedger { stores[index].run.keepsLedger = false }
            stores[index].run.keepsAllDiagnostics =
                reportAll || printing.limit > stores[index].run.diagnosticLimit
            stores[index].run.progress = counts
            stores[index].run.protectedFiles.add(plan, as: "the plan")
            if let report { stores[index].run.protectedFiles.add(report, as: "the report") }
            stores[index].run.replacesRejects = force
            if !quiet { stores[index].run.announce = { CommandOutput.log("granary: \($0)") } }
            stores[index].run.cancellation = interrupt.cancellation
            if let busyTimeout { stores[index].busyTimeout = busyTimeout }
        }
        var warnings: [Diagnostic] = []
        defer { CommandOutput.log(warnings, limit: DiagnosticOptions.defaultLimit) }
        let targets = try StoreTarget.checked(stores, plan: plan, warnings: &warnings)
        CommandOutput.log(warnings, limit: DiagnosticOptions.defaultLimit)
        warnings = []
        // A report that cannot be created is an error before a store is changed.
        let permissions = stores.reduce(UInt32(0o666)) { $0 & SQLiteStore.permissions(ofStore: $1.store) }
        let documents = try ImportDocuments(
            report: report, reportsAll: reportAll, replacing: force, permissions: permissions, printing)
        for target in targets { try target.open() }
        let display = progressOptions.display(
            counts, isQuiet: quiet, otherwise: seedPlan.settings.progress.flatMap(ProgressChoice.init) ?? .auto)
        defer { display?.stop() }
        let (reports, failure) = try StoreRun(targets).run(documents)
        display?.stop()
        if !quiet {
            for (target, report) in zip(targets, reports) where target.isNew && !report.isRefused && !dryRun {
                CommandOutput.log(
                    SQLiteStore.creationWarnings(for: target.schema, isLikeAnother: target.template != nil),
                    limit: printing.limit)
            }
        }
        let revertible = stores.map(\.run.isRevertible)
        return SeedReport(reports).finish(isRevertible: revertible, failure: failure, options: printing)
    }

    private func checkReport(against stores: [StoreImport]) throws(GranaryError) {
        guard let report, report != "-" else { return }
        var files = ProtectedFiles()
        files.add(plan, as: "the plan")
        for store in stores { files.add(store.protectedFiles(withRejects: true)) }
        if let conflict = files.conflict(of: report) {
            throw GranaryError(.usage, "--report \(report) \(conflict)")
        }
    }

    private func variables() throws -> [String: String] {
        Dictionary(try ImportColumnOptions.pairs(set, "--set")) { first, _ in first }
    }
}
