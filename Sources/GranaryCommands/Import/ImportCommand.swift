import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import GranaryFormats
import GranaryImport
import GranaryModel
import GranaryPostgreSQL
import GranaryRecords
import GranarySeedPlans

/// `granary import`: imports rows into a store.
struct ImportCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Imports rows from CSV, TSV, JSON, JSON Lines, a property list, an SQLite database or a constant table into a "
            + "store.",
        usage: "granary import [<options>] [<file> ...] --store <store>",
        discussion: HelpText.paragraphs(
            """
            Example:
              granary import patients.csv --model Triage.xcdatamodeld --store Seed.sqlite \\
                --entity Patient --lookup injury=name --lookup responder=badge

            This help has the options that most imports need; granary import --help-all prints all. The command
            granary inspect FILE prints the options that a file needs.

            Validates every row against the model. By default an import is all-or-nothing: if any row is invalid, every
            problem is reported with its place, and nothing is written. A store that does not exist is created; this
            needs --model, or a JSON document or property list that contains its model, as an export of a whole store
            does. A constant table needs no file: pass it with --terms.

            More examples:
              granary import seed.json --store Copy.sqlite
              granary import app.db --table patients --model Triage.xcdatamodeld \\
                --store Seed.sqlite --entity Patient
              granary import --model Triage.xcdatamodeld --store Seed.sqlite \\
                --entity Injury --terms 'Blunt Trauma%Burn%C-Spine' --delimiter % \\
                --attribute name --ordinal key
            """))

    @Argument(
        help: ArgumentHelp("The files to read, in this order; - is standard input.", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @OptionGroup(title: "The options that most imports need") var basic: ImportBasicOptions

    @OptionGroup(title: "Files", visibility: HelpText.detail) var source: ImportSourceOptions

    @OptionGroup(title: "SQLite databases", visibility: HelpText.detail) var database: ImportDatabaseOptions

    @OptionGroup(title: "Constant tables", visibility: HelpText.detail) var terms: ImportTermsOptions

    @OptionGroup(title: "Columns", visibility: HelpText.detail) var columns: ImportColumnOptions

    @OptionGroup(title: "Values", visibility: HelpText.detail) var values: ImportValueOptions

    // Several groups under one title, because a group inside a group multiplies the work of the parser in a debug build.
    @OptionGroup(title: ImportRunArguments.title, visibility: HelpText.detail) var runArguments: ImportRunArguments
    @OptionGroup(title: ImportRunArguments.title, visibility: HelpText.detail) var writing: StoreWritingOptions
    @OptionGroup(title: ImportRunArguments.title, visibility: HelpText.detail) var shipping: ShippingOptions

    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments

    @OptionGroup(title: ImportMessageOptions.title, visibility: HelpText.detail) var messages: ImportMessageOptions
    @OptionGroup(title: ImportMessageOptions.title, visibility: HelpText.detail) var progressOptions: ProgressOptions
    @OptionGroup(title: ImportMessageOptions.title, visibility: HelpText.detail) var diagnosticOptions:
        DiagnosticOptions
    @OptionGroup(title: ImportMessageOptions.title, visibility: HelpText.detail) var storeOptions: StoreOptions

    private var store: String { basic.store }
    private var isInDatabase: Bool { ConnectionText.isConnection(store) }
    private var entity: String? { basic.entity }
    private var model: [String] { basic.model }

    func validate() throws {
        try runArguments.check(writing, shipping)
        if let option = files.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
            throw ValidationError("unknown option \(option); for a file with this name, write ./\(option).")
        }
        if terms.terms != nil, source.encoding != nil {
            throw ValidationError("--encoding applies to files, not to --terms.")
        }
        // A pattern without matching files is a missing input, which `run` reports.
        let names: [String]
        do { names = try inputs() } catch {
            guard error.code != .usage else { throw ValidationError(error.message + ".") }
            names = files
        }
        try OutputArgument.check(
            [("--report", messages.report), ("--html", messages.html), ("--rejects", runArguments.rejects)],
            against: protected(names))
        if messages.report == "-", messages.html == "-" {
            throw ValidationError("--report - and --html - both go to standard output; name a file.")
        }
        if messages.html == "-", messages.diagnostics.isDocument {
            throw ValidationError(
                "--html - and --diagnostics \(messages.diagnostics.rawValue) both go to standard output; name a file.")
        }
        if messages.report == "-", messages.diagnostics.isDocument {
            throw ValidationError(
                "--report - and --diagnostics \(messages.diagnostics.rawValue) both go to standard output; name a file."
            )
        }
        if terms.terms != nil, !files.isEmpty {
            throw ValidationError("--terms contains the table; omit the file, or pass it with --format terms instead.")
        }
        if terms.terms == nil, files.isEmpty {
            throw ValidationError("an input is needed: a file, - for standard input, or a table with --terms.")
        }
        // `run` reports a missing file, before any other complaint.
        if Self.missing(names) != nil { return }
        if names.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input can be read only once.") }
        try database.check(files: names, entity: entity, hasTerms: terms.terms != nil)
        let formats =
            try (database.areSet ? [] : names.map { try source.format(of: $0) })
            + (terms.terms == nil ? [] : [.terms])
        if entity == nil, formats.contains(.terms) || names.contains("-") && formats != [.json] && formats != [.plist] {
            throw ValidationError("which entity are these rows? Add --entity NAME.")
        }
        if let problem = try sourceOptions().problems(for: formats).first {
            throw ValidationError("--\(problem.option): \(problem.message).")
        }
        if model.isEmpty, !isInDatabase, !FileManager.default.fileExists(atPath: store),
            !formats.contains(where: \.holdsSeveralEntities)
        {
            let found = database.areSet ? "SQLite" : Set(formats.map(\.rawValue)).sorted().joined(separator: " and ")
            throw ValidationError(
                "\(store) does not exist, and \(found) files carry no model; add --model App.xcdatamodeld.")
        }
        _ = try options()
    }

    func run() throws {
        var printing = ImportPrintingOptions()
        printing.format = messages.diagnostics
        printing.maxDiagnostics = diagnosticOptions.given
        printing.isQuiet = messages.quiet
        printing.isDryRun = runArguments.dryRun
        let code: Int32
        do {
            let inputs = try self.inputs()
            if let name = Self.missing(inputs) {
                throw GranaryError(.unreadable, "\(name): there is no such file")
            }
            printing.rejectsHint = try rejectsHint(inputs)
            let execution = ImportExecution(
                report: messages.report, page: messages.html, reportsAll: messages.reportAll, force: runArguments.force,
                printing: printing,
                progress: progressOptions)
            let job = ImportJob(entity: entity, sources: try sources(inputs), options: try options())
            var storeImport = StoreImport(path: store, jobs: [job], run: runArguments.options(writing))
            storeImport.models = model
            storeImport.ships = shipping.ship
            storeImport.inlinesExternalData = shipping.external == .inline
            storeImport.identifier = shipping.identifier
            storeImport.busyTimeout = storeOptions.busyTimeout
            code = try execution.run([storeImport], files: inputs, checked: check, opened: checkStore)
        } catch let error as GranaryError {
            code = ImportPrinting.fail(explained(error), options: printing)
        }
        if code != ExitCodes.success { throw ExitCode(code) }
    }

    /// The first of the files that does not exist.
    private static func missing(_ names: [String]) -> String? {
        names.first { $0 != "-" && FileKind($0) == .missing }
    }

    /// If the given model lacks the entity, and the store's own one has it, the model is the mistake, not the name.
    private func explained(_ error: GranaryError) -> GranaryError {
        guard error.code == .usage, let entity, let first = model.first,
            isInDatabase || FileManager.default.fileExists(atPath: store),
            (try? ModelArgument.load(model))?.entity(named: entity) == nil,
            (try? ModelArgument.load([store]))?.entity(named: entity) != nil
        else { return error }
        return GranaryError(
            .usage,
            "\(first) is not the model of \(ConnectionText.displayName(of: store)): it has no entity \"\(Diagnostic.shortened(entity))\", and the store's "
                + "own model has; omit --model, or compare them with granary model diff \(first) \(store)",
            underlying: error)
    }

    /// Checks names and files. A misspelt name must not create or read a file.
    private func check(_ target: StoreTarget) throws {
        let schema = target.schema
        if terms.attribute != nil, let entity = entity.flatMap(schema.entity(named:)) {
            try terms.check(against: entity)
        }
        if entity == nil {
            for source in target.plan.jobs[0].sources where source.entity(in: schema) == nil {
                guard let name = source.entity else { continue }
                throw GranaryError(
                    .usage,
                    "which entity are these rows? The model has no entity \"\(Diagnostic.shortened(name))\"",
                    help: EntityHelp.options(schema))
            }
        }
        // A pipe can be opened only once, so it is not tested.
        for file in try inputs() where file != "-" && FileKind(file) != .special { _ = try ByteSource(path: file) }
    }

    private func checkStore(_ target: StoreTarget) throws {
        try shipping.check(target, path: store)
        guard !messages.quiet, !writing.noLedger, let problem = try target.opened().importLedger.problem else { return }
        CommandOutput.log([Diagnostic(.storeCorrupt, problem, severity: .warning)], limit: 1)
    }

    /// The files that no output may replace.
    private func protected(_ inputs: [String]) -> ProtectedFiles {
        var files = ProtectedFiles()
        files.add(StoreArgument.files(store), as: "the store's")
        files.add(inputs, as: "the input")
        files.add(model, as: "the model")
        return files
    }

    /// The files. Patterns that the shell did not expand are expanded here.
    private func inputs() throws(GranaryError) -> [String] {
        var names: [String] = []
        for file in files { names += FileKind(file) == .folder ? try chosenFiles(in: file) : try FileGlob.expand(file) }
        // A pattern such as out/*.json also matches the sidecar of an export, which is not data.
        return names.count > 1 ? names.filter { !ImportSidecar.isSidecar($0) } : names
    }

    /// The files of a folder. With `--entity`, those that a sidecar describes must be files of this entity.
    private func chosenFiles(in folder: String) throws(GranaryError) -> [String] {
        let names = try Self.files(in: folder)
        guard let entity else { return names }
        var chosen: [String] = []
        var others: Set<String> = []
        for name in names {
            let tables = FileKind(name) == .file ? try ImportSidecar.find(besides: name)?.tables.map(\.entity) : nil
            if let tables, !tables.isEmpty, !tables.contains(entity) {
                others.formUnion(tables)
            } else {
                chosen.append(name)
            }
        }
        guard !chosen.isEmpty else {
            throw GranaryError(
                .usage,
                "\(folder) has no file of \(Diagnostic.shortened(entity)); its sidecar describes files of "
                    + others.sorted().joined(separator: ", "))
        }
        return chosen
    }

    /// The files of a folder that an export has written, without the sidecar and the folder of values.
    ///
    /// - Throws: ``GranaryError`` if a file has no name of a known format: none is left out in silence.
    private static func files(in folder: String) throws(GranaryError) -> [String] {
        let root = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        guard let listing = FolderNames(folder) else {
            throw GranaryError(.unreadable, "\(folder): cannot be read")
        }
        let names = listing.names.filter { !$0.hasPrefix(".") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .map { "\(root)/\($0)" }.filter { FileKind($0) != .folder && !ImportSidecar.isSidecar($0) }
        if let other = listing.undecodable ?? names.first(where: { DataFormat(fileName: $0) == nil }) {
            throw GranaryError(
                .usage, "\(folder) contains \(other), whose name tells no format; name the files to import")
        }
        return names.isEmpty ? [folder] : names
    }

    private func sources(_ files: [String]) throws -> [ImportSource] {
        var options = try sourceOptions()
        options.busyTimeout = storeOptions.busyTimeout
        if let text = terms.terms { return [.terms(text, name: "--terms", options: options)] }
        return files.map { file in
            file == "-" ? .standardInput(options: options) : .file(path: file, options: options)
        }
    }

    /// The options on files. A test compares them with those of a seed plan.
    func sourceOptions() throws -> SourceOptions {
        var options = try source.options(terms)
        (options.table, options.query) = (database.table, database.sql)
        options.ignoresUnnamed = columns.ignore.contains("")
        options.skipsSpaces = values.trim || !values.trimColumns.isEmpty
        // Stores can contain U+0000.
        if values.asIs { options.allowsNUL = true }
        return options
    }

    /// The options on columns and values. A test compares them with those of a seed plan.
    func options() throws -> ImportOptions {
        var options = ImportOptions()
        try basic.apply(to: &options)
        try columns.apply(to: &options)
        try values.apply(to: &options)
        return options
    }
}
