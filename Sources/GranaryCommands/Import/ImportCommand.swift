import ArgumentParser
import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPersistence
import GranarySeeding

/// `granary import`: rows into a store.
struct ImportCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports rows from CSV, TSV, JSON, JSON Lines, a property list or a constant table into a store.",
        discussion: """
            Every row is checked against the model. When anything is wrong, every problem is named with its place and
            nothing is written. A store that does not exist yet is made. A constant table needs no file: give it with
            --terms.

            Examples:
              granary import patients.csv --model Triage.xcdatamodeld --store Seed.sqlite --entity Patient \\
                --lookup injury=name --lookup responder=badge
              granary import --model Triage.xcdatamodeld --store Seed.sqlite --entity Injury \\
                --terms 'Blunt Trauma%Burn%C-Spine' --delimiter % --attribute name --ordinal key
            """)

    @Argument(help: ArgumentHelp("The files to read, one after the other; - is standard input.", valueName: "file"))
    var files: [String] = []

    @Option(help: ArgumentHelp("The store's model; repeat it to merge several.", valueName: "model"))
    var model: [String] = []

    @Option(help: ArgumentHelp("The store; made where it does not exist.", valueName: "store"))
    var store: String

    @Option(help: "What the rows are; not needed where the files name their entities or are named after them.")
    var entity: String?

    @OptionGroup(title: "Files") var source: ImportSourceOptions

    @OptionGroup(title: "Constant tables") var terms: ImportTermsOptions

    @OptionGroup(title: "Columns") var columns: ImportColumnOptions

    @OptionGroup(title: "Values") var values: ImportValueOptions

    @Option(help: ArgumentHelp("Write the report, as JSON, to this file.", valueName: "file"))
    var report: String?

    @Option(help: "How diagnostics are printed: text or json (one object a line).")
    var diagnostics = DiagnosticFormat.text

    @Flag(help: "Do everything but keep it: the same code, taken back at the last step.")
    var dryRun = false

    @Flag(help: "Print errors and the last line only.")
    var quiet = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if let option = files.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
            throw ValidationError("unknown option \(option); a file of such a name is ./\(option).")
        }
        if let report, report != "-",
            let taken = ([store] + files + model).first(where: { FilePath.isSame($0, report) })
        {
            throw ValidationError("--report would replace \(taken).")
        }
        if model.isEmpty {
            throw ValidationError(
                "name the model with --model; reading the model that a store carries is not supported yet.")
        }
        if terms.terms != nil, !files.isEmpty {
            throw ValidationError("--terms is the table itself; leave the file away, or say --format terms.")
        }
        if terms.terms == nil, files.isEmpty {
            throw ValidationError("name a file to read, - for standard input, or give a table with --terms.")
        }
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input can be read only once.") }
        let formats = try files.map { try source.format(of: $0) } + (terms.terms == nil ? [] : [.terms])
        if entity == nil, formats.contains(.terms) || files.contains("-") && formats != [.json] && formats != [.plist] {
            throw ValidationError("say with --entity what the rows are.")
        }
        try source.check(against: formats)
        try terms.check(against: formats, delimiter: source.delimiter)
        _ = try options()
    }

    func run() throws {
        do {
            let report = try runImport()
            finish(report)
            if report.isRefused { throw ExitCode(65) }
        } catch let error as GranaryError {
            // The ledger is the last line whatever happens; of an import that did not take place it is all zeros.
            switch diagnostics {
            case .text: CommandOutput.log(error, limit: diagnosticOptions.maxDiagnostics)
            case .json:
                log(asJSON: error.diagnostics)
                CommandOutput.log("granary: error: \(error.message)")
            }
            CommandOutput.log(ImportReport().ledger)
            throw ExitCode(error.exitCode)
        }
    }

    private func runImport() throws -> ImportReport {
        let schema = try ModelArgument.load(model)
        let importer = Importer(entity: entity, options: try options())
        // Usage first, then the inputs, then the store: a misspelt name makes no file and reads none.
        try importer.check(against: schema)
        if terms.attribute != nil, let entity = entity.flatMap(schema.entity(named:)) {
            try terms.check(against: entity)
        }
        for case let name? in try files.map(entityName) where schema.entity(named: name) == nil {
            throw GranaryError(
                .usage, "say with --entity what the rows are: no file named after an entity, and \(name) is none")
        }
        let readers = try readers()
        // A report that cannot be written shows before the store is changed, not after.
        let reportOutput = try self.report.map {
            $0 == "-" ? ByteOutput.standardOutput() : try ByteOutput.file($0, replacing: true)
        }
        let interrupt = InterruptWatch()
        defer { interrupt.stop() }
        let isNew = !FileManager.default.fileExists(atPath: store)
        let target =
            isNew
            ? try SQLiteStore.create(path: store, schema: schema, busyTimeout: storeOptions.timeout)
            : try SQLiteStore.open(path: store, schema: schema, busyTimeout: storeOptions.timeout)
        var report = try importer.run(readers, into: target, cancellation: interrupt.cancellation)
        report.store = store
        if isNew, !report.isRefused, !dryRun {
            try target.publish()
            if !quiet {
                CommandOutput.log(
                    SQLiteStore.derivedAttributeWarnings(for: schema), limit: diagnosticOptions.maxDiagnostics)
            }
        }
        if let reportOutput {
            reportOutput.append(try CommandJSON.text(report))
            try reportOutput.finish()
        }
        return report
    }

    private func log(asJSON diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics.prefix(diagnosticOptions.maxDiagnostics) {
            CommandOutput.log((try? CommandJSON.line(diagnostic)) ?? "\(diagnostic)")
        }
    }

    private func readers() throws -> [any RecordReader] {
        if let text = terms.terms {
            return [try TermsReader(text: text, options: terms.options(delimiter: source.delimiter, source))]
        }
        return try files.map { file in
            let reader = try reader(file)
            return try entityName(of: file).map { EntityReader(reader, entity: $0) } ?? reader
        }
    }

    private func reader(_ file: String) throws -> any RecordReader {
        let bytes = file == "-" ? ByteSource.standardInput() : try ByteSource(path: file)
        switch try source.format(of: file) {
        case .csv, .tsv:
            return try CSVReader(bytes, options: source.csvOptions(isTSV: try source.format(of: file) == .tsv))
        case .json, .ndjson:
            return JSONReader(bytes, options: source.jsonOptions(lines: try source.format(of: file) == .ndjson))
        case .plist: return PropertyListReader(bytes, options: source.plistOptions)
        case .terms: return try TermsReader(bytes, options: terms.options(delimiter: source.delimiter, source))
        }
    }

    /// Without `--entity` a file of a format that names no entity is of the one that it is named after, as an export into
    /// a folder writes them.
    private func entityName(of file: String) throws -> String? {
        guard entity == nil else { return nil }
        switch try source.format(of: file) {
        case .json, .plist, .terms: return nil
        case .csv, .tsv, .ndjson: return URL(filePath: file).deletingPathExtension().lastPathComponent
        }
    }

    private func options() throws -> ImportOptions {
        var options = ImportOptions()
        try columns.apply(to: &options)
        try values.apply(to: &options)
        options.isDryRun = dryRun
        options.diagnosticLimit = max(options.diagnosticLimit, diagnosticOptions.maxDiagnostics)
        return options
    }

    /// Prints the diagnostics, and the ledger as the last line.
    private func finish(_ report: ImportReport) {
        let shown = quiet ? report.diagnostics.filter { $0.severity == .error } : report.diagnostics
        switch diagnostics {
        case .text:
            CommandOutput.log(
                shown, count: quiet ? report.errorCount : report.diagnosticCount,
                limit: diagnosticOptions.maxDiagnostics)
        case .json:
            log(asJSON: shown)
        }
        if report.isRefused {
            let state = FileManager.default.fileExists(atPath: store) ? "is as it was" : "was not made"
            CommandOutput.log("granary: error: nothing was imported; \(store) \(state)")
        } else if dryRun, !quiet {
            CommandOutput.log("granary: dry run: nothing was kept")
        }
        CommandOutput.log(report.ledger)
    }
}

/// How diagnostics are printed.
enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}
