import ArgumentParser
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryMigration
import GranaryModel
import GranaryPostgreSQL
import GranaryRecords

/// `granary store migrate`: migrates a store to a newer version of its model.
struct StoreMigrateCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrates a store to a newer version of its model.",
        discussion: HelpText.paragraphs(
            """
            The command does what Core Data's inferred migration does, and checks the objects before. If a value, a link
            or an object would be lost, or an object does not fit the newer version, nothing is changed and the command
            lists the objects. The new store is built beside the old one, which is kept as STORE.before-VERSION. Primary
            keys, the store's UUID, the app's metadata, the history and external data are kept.

            If no mapping is inferred in one step, the store is migrated over versions of MODEL between the two.

            Examples:
              granary store migrate Seed.sqlite --model App.xcdatamodeld --dry-run
              granary store migrate Seed.sqlite --model App.xcdatamodeld --to 'App 3' \\
                --output New.sqlite
              granary store migrate Seed.sqlite --model App.xcdatamodeld \\
                --fill Patient.age=0 --allow-drop
            """))

    @OptionGroup var input: StoreInput
    private var store: String { input.path }

    @Option(help: "The newer model, or a folder with versions of it.", completion: .file())
    var model: String

    @Option(help: ArgumentHelp("The version of MODEL (default: the current one).", valueName: "version"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "The model of the store (default: the version of MODEL with the store's version hashes, or the model in the "
                + "store).", valueName: "model"), completion: .file())
    var fromModel: String?

    @Option(help: "The new store (default: the store is replaced).", completion: .file())
    var output: String?

    @Flag(help: "Do everything except the last step, which gives the new store its name.")
    var dryRun = false

    @Flag(help: "Drop the objects, values and links that the newer version cannot hold.")
    var allowDrop = false

    @Option(help: "What happens to objects that break a rule of the newer version.")
    var onInvalid = StoreMigrationOptions.InvalidObjects.refuse

    @Option(
        help: ArgumentHelp(
            "Replace NULL in an attribute; a Binary is given as base64; repeatable.",
            valueName: "entity.attribute=value"))
    var fill: [String] = []

    @Option(
        help: ArgumentHelp(
            "Which object is kept of those with the same unique values: first, last or ATTRIBUTE:max. References to the "
                + "others lead to it. Repeatable.",
            valueName: "entity=rule"))
    var dedupe: [String] = []

    @Option(help: "How to treat a missing file with external data.")
    var missingFiles = MissingFilePolicy.error

    @Flag(help: "Do not keep the replaced store.")
    var noBackup = false

    @Option(help: ArgumentHelp("Write the report as JSON.", valueName: "file"), completion: .file())
    var report: String?

    @Flag(help: "Replace an output store and a report that exist.")
    var force = false

    @Flag(help: "Print errors and the last line only.")
    var quiet = false

    @OptionGroup var progress: ProgressOptions
    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if let output, output.isEmpty || output == "-" {
            throw ValidationError("--output must be the path of a new store.")
        }
        _ = try fills()
        _ = try duplicateRules()
        var protected = ProtectedFiles()
        protected.add(StoreArgument.files(store), as: "the store's")
        protected.add([model] + [fromModel].compactMap(\.self), as: "the model")
        let file = output.flatMap { ConnectionText.isConnection($0) ? nil : $0 }
        try OutputArgument.check([("--output", file), ("--report", report)], against: protected)
    }

    func run() throws {
        var warnings = DiagnosticCollector()
        let given = try fromModel.map { try ManagedObjectModel.read(path: $0, diagnostics: &warnings).model }
        let document = try reportOutput()
        var options = try options()
        options.cancellation = Cancellation.current
        // The progress line computes its percentage from bytes. Here a byte stands for an object or an index entry.
        let counts = ImportProgress(fileCount: 1)
        let name = ConnectionText.displayName(of: store)
        options.progress = { progress in
            // Each step begins at its first object.
            if progress.done == 0 { counts.begin(file: name, byteCount: progress.total) }
            counts.update(rows: progress.objects, bytes: progress.done)
        }
        let display = progress.display(counts, isQuiet: quiet)
        defer { display?.stop() }
        let migration = try StoreMigration(path: model, version: to, options: options, diagnostics: &warnings)
        let result = try migration.run(
            path: store, model: given, output: output,
            beforePublishing: { report in
                guard let document else { return }
                // A full disk must be noticed before the store has its name.
                document.append(try CommandJSON.text(report))
                try document.prepare()
            })
        let remarks = warnings.diagnostics + result.warnings
        CommandOutput.log(remarks, count: remarks.count, limit: diagnosticOptions.maxDiagnostics)
        if let refusal = result.refusal {
            document?.append(try CommandJSON.text(result))
            try document?.prepare()
            try document?.publish()
            throw refusal
        }
        if !quiet { for line in StoreMigrateText.lines(result) { CommandOutput.log(line) } }
        do throws(GranaryError) { try document?.publish() } catch {
            throw GranaryError(
                error.code, options.isDryRun ? error.message : "\(error.message); the store is migrated",
                underlying: error)
        }
        CommandOutput.log(StoreMigrateText.summary(result))
    }

    // MARK: Options

    private func options() throws -> StoreMigrationOptions {
        var options = StoreMigrationOptions()
        options.allowsDrop = allowDrop
        options.invalidObjects = onInvalid
        options.fillTexts = try fills()
        options.duplicateRules = try duplicateRules()
        options.missingFiles = missingFiles
        options.isDryRun = dryRun
        options.keepsBackup = !noBackup
        options.replacesOutput = force
        options.busyTimeout = storeOptions.busyTimeout
        return options
    }

    private func fills() throws -> [String: String] {
        var values: [String: String] = [:]
        for text in fill {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, parts[0].contains(".") else {
                throw ValidationError("--fill \(text): write ENTITY.ATTRIBUTE=VALUE.")
            }
            guard values.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw ValidationError("--fill \(parts[0]) is given twice.")
            }
        }
        return values
    }

    private func duplicateRules() throws -> [String: StoreMigrationOptions.DuplicateRule] {
        var rules: [String: StoreMigrationOptions.DuplicateRule] = [:]
        for text in dedupe {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let rule: StoreMigrationOptions.DuplicateRule? =
                switch parts.last {
                case "first": .first
                case "last": .last
                case let name? where name.hasSuffix(":max") && name != ":max": .largest(String(name.dropLast(4)))
                default: nil
                }
            guard parts.count == 2, !parts[0].isEmpty, let rule else {
                throw ValidationError("--dedupe \(text): write ENTITY=first, ENTITY=last or ENTITY=ATTRIBUTE:max.")
            }
            guard rules.updateValue(rule, forKey: parts[0]) == nil else {
                throw ValidationError("--dedupe \(parts[0]) is given twice.")
            }
        }
        return rules
    }

    /// Creates the report under a temporary name, so that an unusable path is found before the store is read.
    private func reportOutput() throws(GranaryError) -> ByteOutput? {
        guard let report else { return nil }
        if report == "-" { return ByteOutput.standardOutput() }
        return try ByteOutput.file(report, replacing: force, permissions: SQLiteStore.permissions(ofStore: store))
    }
}
