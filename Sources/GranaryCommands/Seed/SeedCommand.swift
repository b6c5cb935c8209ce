import ArgumentParser
import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranarySeeding

/// `granary seed`: a plan's imports into its stores.
struct SeedCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Runs a seed plan: many imports into a store, or into several, as one transaction each.",
        discussion: HelpText.paragraphs(
            """
            The plan is a YAML file that says the model, the store and the imports with their options; paths are relative to
            it. References may point to later imports. Nothing is kept before all imports of all stores are checked, and a
            plan that is run again changes nothing that has not changed.

            Examples:
              granary seed seed.yaml
              granary seed seed.yaml --set DATA=2026-03 --dry-run
            """))

    @Argument(help: ArgumentHelp("The plan.", valueName: "plan"), completion: .file())
    var plan: String

    @Option(
        help: ArgumentHelp(
            "A variable of the plan; repeatable. It goes before the plan's own.", valueName: "name=value"))
    var set: [String] = []

    @Option(help: ArgumentHelp("Write the report, as JSON, to this file.", valueName: "file"), completion: .file())
    var report: String?

    @Option(help: "How diagnostics are printed: text, json (one object a line) or sarif.")
    var diagnostics: DiagnosticFormat?

    @Flag(help: "Write all diagnostics to the report, not the first 10,000.")
    var reportAll = false

    @Flag(help: "Do everything but keep it: the same code, taken back at the last step.")
    var dryRun = false

    @Flag(help: "Replace a report that exists, and a rejects file that no earlier run has written or that was edited.")
    var force = false

    @Flag(help: "Leave no entry in the stores' ledgers of runs, whatever the plan says.")
    var noLedger = false

    @Flag(help: "Print errors and the last line only.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Wait at most this long for a store that is in use; without it, as the plan says, or 5.",
            valueName: "seconds"))
    var busyTimeout: Double?

    @OptionGroup var progressOptions: ProgressOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        _ = try variables()
        if let busyTimeout, !(0...86_400).contains(busyTimeout) {
            throw ValidationError("--busy-timeout is a number of seconds from 0 to 86400.")
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
        // A report that cannot be written shows before a store is changed, not after.
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

    /// `NAME=VALUE` each; the first `=` counts.
    private func variables() throws -> [String: String] {
        var variables: [String: String] = [:]
        for text in set {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw ValidationError("--set \(text): an = is missing.")
            }
            let name = String(text[..<equals])
            if variables.updateValue(String(text[text.index(after: equals)...]), forKey: name) != nil {
                throw ValidationError("--set names \(name) twice.")
            }
        }
        return variables
    }
}
