import ArgumentParser
import GranaryBase
import GranaryImport
import GranarySeedPlans

/// `granary seed`: runs the imports of a seed plan.
struct SeedCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Runs a seed plan: many imports into one or several stores.",
        discussion: HelpText.paragraphs(
            """
            A plan is a YAML file with the model, the store, the imports with their options, and objects to take from
            other stores or to generate. Its paths are relative to its folder. All imports into a store are one transaction, and references can point to later imports.
            Nothing is committed before all imports into all stores are checked.

            --check compares each store with a new one that the plan makes in a temporary folder, object by object. It
            lists what differs and changes nothing; the exit code is 1 if a store is not what the plan makes.

            Examples:
              granary seed seed.yaml
              granary seed seed.yaml --set DATA=2026-03 --dry-run
              granary seed seed.yaml --check
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

    @Option(
        help: ArgumentHelp("Write the report as a page to this file; - is standard output.", valueName: "file"),
        completion: .file())
    var html: String?

    @Option(help: "The format of diagnostics; json is one object a line, sarif and csv a document on standard output.")
    var diagnostics: DiagnosticFormat?

    @Flag(help: "Write all diagnostics to the report, not only the first 10,000.")
    var reportAll = false

    @Flag(help: "Run the imports, then roll them back.")
    var dryRun = false

    @Flag(help: "Change nothing; exit with 1 if a store is not what the plan makes, and list what differs.")
    var check = false

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
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        _ = try variables()
        if report == "-", html == "-" {
            throw ValidationError("--report - and --html - both go to standard output; name a file.")
        }
        if check, dryRun || report != nil || html != nil || force || noLedger || diagnostics != nil {
            throw ValidationError(
                "--check writes nothing; it excludes --dry-run, --report, --html, --force, --no-ledger and --diagnostics."
            )
        }
        if let busyTimeout, !(0...86_400).contains(busyTimeout) {
            throw ValidationError("--busy-timeout must be a number of seconds from 0 to 86400.")
        }
        var files = ProtectedFiles()
        files.add(plan, as: "the plan")
        try OutputArgument.check([("--report", report), ("--html", html)], against: files)
    }

    func run() throws {
        var printing = ImportPrintingOptions()
        printing.help = .planKeys
        printing.format = diagnostics ?? .text
        printing.maxDiagnostics = diagnosticOptions.given
        printing.isQuiet = quiet
        printing.isDryRun = dryRun
        let code: Int32
        do {
            let seedPlan = try SeedPlan(path: plan, variables: try variables())
            // The options of the command line override the plan's.
            let settings = seedPlan.settings
            printing.format = diagnostics ?? settings.diagnostics.flatMap(DiagnosticFormat.init) ?? .text
            printing.maxDiagnostics = diagnosticOptions.given ?? settings.maxDiagnostics
            printing.isQuiet = quiet || settings.isQuiet
            printing.isDryRun = dryRun || settings.isDryRun
            if check { return try check(seedPlan, limit: printing.limit) }
            let execution = ImportExecution(
                report: report ?? settings.report, page: html ?? settings.page,
                reportsAll: reportAll || settings.reportsAll,
                force: force || settings.force, printing: printing, progress: progressOptions,
                progressChoice: settings.progress.flatMap(ProgressChoice.init) ?? .auto)
            code = try run(seedPlan, execution)
        } catch let error as GranaryError {
            code = ImportPrinting.fail(error, options: printing)
        }
        if code != ExitCodes.success { throw ExitCode(code) }
    }

    private func check(_ seedPlan: SeedPlan, limit: Int) throws {
        var stores = try seedPlan.storeImports()
        for index in stores.indices {
            if let busyTimeout { stores[index].busyTimeout = busyTimeout }
        }
        let check = SeedCheck(plan: plan, limit: limit, diagnosticLimit: limit)
        if try !check.run(stores) { throw ExitCode(ExitCodes.found) }
    }

    private func run(_ seedPlan: SeedPlan, _ execution: ImportExecution) throws -> Int32 {
        var stores = try seedPlan.storeImports()
        // The plan can name what the command line does not.
        try OutputArgument.check(
            [("--report", execution.report), ("--html", execution.page)], against: ProtectedFiles())
        if execution.report == "-", execution.page == "-" {
            throw GranaryError(.usage, "the report and the page both go to standard output; name a file")
        }
        for (option, path) in [("--report", execution.report), ("--html", execution.page)] {
            if let path, path != "-" { try check(option, path, against: stores) }
        }
        for index in stores.indices {
            if noLedger { stores[index].run.keepsLedger = false }
            if let busyTimeout { stores[index].busyTimeout = busyTimeout }
            stores[index].run.protectedFiles.add(plan, as: "the plan")
            for path in [execution.report, execution.page].compactMap({ $0 }) {
                stores[index].run.protectedFiles.add(path, as: "the report")
            }
        }
        let files = stores.flatMap(\.sourceNames).filter { $0 != plan }
        return try execution.run(stores, plan: plan, files: files)
    }

    private func check(_ option: String, _ path: String, against stores: [StoreImport]) throws(GranaryError) {
        var files = ProtectedFiles()
        files.add(plan, as: "the plan")
        for store in stores { files.add(store.protectedFiles(withRejects: true)) }
        if let conflict = files.conflict(of: path) {
            throw GranaryError(.usage, "\(option) \(path) \(conflict)")
        }
    }

    private func variables() throws -> [String: String] {
        Dictionary(try ImportColumnOptions.pairs(set, "--set")) { first, _ in first }
    }
}
