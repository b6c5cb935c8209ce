import ArgumentParser
import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryModelFiles
import GranarySeeding

/// `granary import`: rows into a store.
struct ImportCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports rows from CSV, TSV, JSON, JSON Lines, a property list or a constant table into a store.",
        discussion: HelpText.paragraphs(
            """
            Every row is checked against the model. When anything is wrong, every problem is named with its place and
            nothing is written. A store that does not exist yet is made, and --model is needed then. A constant table
            needs no file: give it with --terms.

            Examples:
              granary import patients.csv --model Triage.xcdatamodeld --store Seed.sqlite \\
                --entity Patient --lookup injury=name --lookup responder=badge
              granary import --model Triage.xcdatamodeld --store Seed.sqlite \\
                --entity Injury --terms 'Blunt Trauma%Burn%C-Spine' --delimiter % \\
                --attribute name --ordinal key
            """))

    @Argument(
        help: ArgumentHelp("The files to read, one after the other; - is standard input.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "The store's model; repeat it to merge several. Without it, the one in the store.", valueName: "model"),
        completion: .file())
    var model: [String] = []

    @Option(help: ArgumentHelp("The store; made where it does not exist.", valueName: "store"), completion: .file())
    var store: String

    @Option(help: "What the rows are; not needed where the files name their entities or are named after them.")
    var entity: String?

    @OptionGroup(title: "Files") var source: ImportSourceOptions

    @OptionGroup(title: "Constant tables") var terms: ImportTermsOptions

    @OptionGroup(title: "Columns") var columns: ImportColumnOptions

    @OptionGroup(title: "Values") var values: ImportValueOptions

    @Option(help: ArgumentHelp("Write the report, as JSON, to this file.", valueName: "file"), completion: .file())
    var report: String?

    @Flag(help: "Write all diagnostics to the report, not the first 10,000.")
    var reportAll = false

    @Option(
        help: "How diagnostics are printed: text, json (one object a line), or sarif (a document, to standard output).")
    var diagnostics = DiagnosticFormat.text

    @Flag(help: "Print errors and the last line only.")
    var quiet = false

    @OptionGroup(title: "The import as a whole") var runArguments: ImportRunArguments

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var progressOptions: ProgressOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if let option = files.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
            throw ValidationError("unknown option \(option); a file of such a name is ./\(option).")
        }
        if terms.terms != nil, source.encoding != nil {
            throw ValidationError("--encoding is for files, not for --terms.")
        }
        // A pattern that nothing matches is an input that is missing; `run` says so.
        let names = (try? inputs()) ?? files
        try OutputArgument.check(
            [("--report", report), ("--rejects", runArguments.rejects)], against: protected(names))
        if report == "-", diagnostics == .sarif {
            throw ValidationError("--report - and --diagnostics sarif both go to standard output; name a file.")
        }
        if model.isEmpty, !FileManager.default.fileExists(atPath: store) {
            throw ValidationError("name the model with --model: \(store) does not exist.")
        }
        if terms.terms != nil, !files.isEmpty {
            throw ValidationError("--terms is the table itself; leave the file away, or say --format terms.")
        }
        if terms.terms == nil, files.isEmpty {
            throw ValidationError("name a file to read, - for standard input, or give a table with --terms.")
        }
        if names.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input can be read only once.") }
        let formats = try names.map { try source.format(of: $0) } + (terms.terms == nil ? [] : [.terms])
        if entity == nil, formats.contains(.terms) || names.contains("-") && formats != [.json] && formats != [.plist] {
            throw ValidationError("say with --entity what the rows are.")
        }
        try source.check(against: formats, terms)
        _ = try options()
    }

    func run() throws {
        var printing = ImportPrintingOptions()
        printing.format = diagnostics
        printing.maxDiagnostics = diagnosticOptions.given
        printing.isQuiet = quiet
        printing.isDryRun = runArguments.dryRun
        printing.isRevertible = runArguments.revertible
        let code: Int32
        do {
            let outcome = try runImport(printing)
            code = ImportPrinting.finish(outcome.report, store: store, failure: outcome.failure, options: printing)
        } catch let error as GranaryError {
            code = ImportPrinting.fail(error, options: printing)
        }
        if code != ExitCodes.success { throw ExitCode(code) }
    }

    /// - Returns: the report, and the first error that occurred after the commit.
    private func runImport(_ printing: ImportPrintingOptions) throws -> (report: ImportReport, failure: GranaryError?) {
        let inputs = try self.inputs()
        let counts = ProgressOptions.counts(for: inputs)
        let interrupt = InterruptWatch()
        defer { interrupt.stop() }
        var runOptions = runArguments.options
        runOptions.keepsAllDiagnostics =
            reportAll || diagnosticOptions.maxDiagnostics > runOptions.diagnosticLimit
        runOptions.progress = counts
        if !quiet { runOptions.announce = { CommandOutput.log("granary: \($0)") } }
        runOptions.cancellation = interrupt.cancellation
        let job = ImportJob(entity: entity, sources: try sources(inputs), options: try options())
        var storeImport = StoreImport(path: store, jobs: [job], run: runOptions)
        storeImport.models = model
        storeImport.ships = runArguments.ship
        storeImport.identifier = runArguments.identifier
        storeImport.busyTimeout = storeOptions.busyTimeout
        // Usage first, then the inputs, then the store: a misspelt name creates no file and reads none.
        let target = try checkedTarget(storeImport)
        // A pipe can be opened only once.
        for file in inputs where file != "-" && FileKind(file) != .special { _ = try ByteSource(path: file) }
        // A report that cannot be written is an error before the store is changed.
        let documents = try ImportDocuments(
            report: self.report, reportsAll: reportAll, replacing: runArguments.force,
            permissions: SQLiteStore.permissions(ofStore: store), printing)
        try target.open()
        if !target.isNew, runArguments.identifier != nil, !runArguments.ship {
            throw GranaryError(
                .usage, "--store-uuid: \(store) has its UUID; a new store gets one, and one that is shipped (--ship)")
        }
        warnOfLedger(try target.opened())
        let display = progressOptions.display(counts, isQuiet: quiet)
        defer { display?.stop() }
        let (reports, failure) = try StoreRun([target]).run(documents)
        display?.stop()
        let report = reports[0]
        if target.isNew, !report.isRefused, !runArguments.dryRun, !quiet {
            CommandOutput.log(
                SQLiteStore.creationWarnings(for: target.schema), limit: diagnosticOptions.maxDiagnostics)
        }
        return (report, failure)
    }

    private func checkedTarget(_ storeImport: StoreImport) throws -> StoreTarget {
        var warnings: [Diagnostic] = []
        defer { CommandOutput.log(warnings, limit: DiagnosticOptions.defaultLimit) }
        let target = try StoreTarget.checked([storeImport], plan: nil, warnings: &warnings)[0]
        let schema = target.schema
        if terms.attribute != nil, let entity = entity.flatMap(schema.entity(named:)) {
            try terms.check(against: entity)
        }
        if entity == nil {
            for case let name? in storeImport.jobs[0].sources.map(\.entity) where schema.entity(named: name) == nil {
                throw GranaryError(
                    .usage, "say with --entity what the rows are: no file named after an entity, and \(name) is none")
            }
        }
        return target
    }

    /// The files that no output may replace.
    private func protected(_ inputs: [String]) -> ProtectedFiles {
        var files = ProtectedFiles()
        files.add(SQLiteStore.files(ofStore: store), as: "the store's")
        files.add(inputs, as: "the input")
        files.add(model, as: "the model")
        return files
    }

    /// The files, patterns that no shell has expanded among them.
    private func inputs() throws(GranaryError) -> [String] {
        var names: [String] = []
        for file in files { names += try FileGlob.expand(file) }
        return names
    }

    private func sources(_ files: [String]) throws -> [ImportSource] {
        let options = try sourceOptions()
        if let text = terms.terms { return [.terms(text, name: "--terms", options: options)] }
        return files.map { file in
            file == "-" ? .standardInput(options: options) : .file(path: file, options: options)
        }
    }

    private func warnOfLedger(_ target: SQLiteStore) {
        guard !quiet, !runArguments.noLedger, let problem = target.importLedger.problem else { return }
        CommandOutput.log([Diagnostic(.storeCorrupt, problem, severity: .warning)], limit: 1)
    }

    /// The options on files. A test compares them with a seed plan's.
    func sourceOptions() throws -> SourceOptions {
        var options = try source.options(terms)
        options.ignoresUnnamed = columns.ignore.contains("")
        return options
    }

    /// What the options on columns and values say; a test compares it with a plan's.
    func options() throws -> ImportOptions {
        var options = ImportOptions()
        try columns.apply(to: &options)
        try values.apply(to: &options)
        return options
    }
}
