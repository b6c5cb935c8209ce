import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoreDataStore
import GranaryExport
import GranaryImport
import GranaryModel
import GranaryPages
import GranaryPostgreSQL
import GranaryRecords
import GranarySeedPlans
import GranarySubset

/// `granary subset`: copies chosen objects, and all that they need, into a new store.
struct SubsetCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "subset",
        abstract: "Copies chosen objects, and all that they need, into a new store.",
        discussion: HelpText.paragraphs(
            """
            To-one objects are copied too; to-many objects only up to the minimum count. Links to other objects are cut. --depth adds the objects of
            to-many relationships. Objects keep their keys. The source is not changed, and its history, ledger and
            metadata are not copied.

            --anonymise replaces values by others of the same shape: AB-123 becomes KQ-847. Equal values of attributes
            with the same name become equal, and unique values stay unique. The report lists what was replaced and what
            was kept. Without --random-seed the replacements cannot be computed again.

            Examples:
              granary subset Seed.sqlite --from 'Patient WHERE age > 60' --output Test.sqlite
              granary subset Seed.sqlite --from 'Injury WHERE name == "Burn"' --depth 1 \\
                --anonymise Patient.name --anonymise Patient.email \\
                --output Test.sqlite --report test.json
              granary subset Seed.sqlite --from Patient --anonymise all-text \\
                --output Test.sqlite
            """))

    @OptionGroup var input: StoreInput
    private var store: String { input.path }

    @Option(help: ArgumentHelp("The chosen objects: ENTITY or ENTITY WHERE PREDICATE; repeatable.", valueName: "query"))
    var from: [String] = []

    @Option(help: "The new store.", completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Add the objects to this store, which exists, in place of a new one.", valueName: "store"),
        completion: .file())
    var into: String?

    @Option(
        help: "With --into: how to treat an object whose unique values an object of the store has.")
    var onConflict: SubsetOptions.ConflictPolicy?

    @Option(
        help: ArgumentHelp(
            "The model of the store; repeatable to merge several (default: the model in the store).", valueName: "model"
        ),
        completion: .file())
    var model: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Choose at most this many objects of each --from: the first ones by their keys.", valueName: "n"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Choose a part of the objects of each --from: a number, or a percentage such as 5%. The same --random-seed "
                + "(default: 0) chooses the same objects.", valueName: "n|p%"))
    var sample: String?

    @Option(
        help: ArgumentHelp(
            "Add members of a to-many relationship of the chosen objects; repeatable: 'Patient.visits WHERE paid == 0 "
                + "LIMIT 3 SORT date:desc'.", valueName: "entity.relationship …"))
    var follow: [String] = []

    @Option(
        help: ArgumentHelp(
            "Follow an attribute whose value names another object; repeatable: Visit.patientID=Patient.id.",
            valueName: "entity.attribute=entity.attribute"))
    var reference: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take the members of many-to-many relationships to tables of at most this many objects, such as the genres of "
                + "books; 0 for none.", valueName: "n"))
    var smallTables = SubsetOptions().smallTableLimit

    @Option(
        help: ArgumentHelp("Print why an object is in the subset; repeatable.", valueName: "entity/pkey"))
    var explain: [String] = []

    @Option(
        help: ArgumentHelp(
            "Add the objects of to-many relationships of the chosen objects, this many steps.",
            valueName: "n"))
    var depth = 0

    @Option(
        help: ArgumentHelp(
            "Do not follow an optional to-one relationship; repeatable. It is NULL where its object is not taken.",
            valueName: "entity.relationship"))
    var noFollow: [String] = []

    @Option(
        help: ArgumentHelp(
            "Replace the values of an attribute; repeatable. all-text stands for all String and URI attributes.",
            valueName: "entity.attribute"))
    var anonymise: [String] = []

    @Option(
        help: ArgumentHelp(
            "Treat the values of each attribute as this file decides (granary anonymise); an attribute without a decision "
                + "is an error.", valueName: "file"),
        completion: .file())
    var rules: String?

    @Flag(
        help: "Treat the values of each attribute as the model decides (user info granary.anonymise), without a file.")
    var modelRules = false

    @Option(
        help: ArgumentHelp(
            "The file with the key of hashes and replacements, at least 16 bytes, such as /dev/fd/3.", valueName: "file"
        ),
        completion: .file())
    var keyFile: String?

    @Option(
        help: ArgumentHelp(
            "The number from which replacements are computed (default: a random one, which is not stored).",
            valueName: "n"))
    var randomSeed: UInt64?

    @Option(help: "How to treat a missing file with external data.")
    var missingFiles = MissingFilePolicy.error

    @Option(help: ArgumentHelp("Write the report as JSON.", valueName: "file"), completion: .file())
    var report: String?

    @OptionGroup var page: PageOptions

    @Flag(help: "Replace an output store, a report and a page that exist.")
    var force = false

    @OptionGroup var shipping: ShippingOptions

    @Flag(help: "Print errors and the last line only.")
    var quiet = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if from.isEmpty { throw ValidationError("--from is missing, such as --from 'Patient WHERE age > 60'.") }
        if depth < 0 { throw ValidationError("--depth cannot be negative.") }
        try checkTarget()
        if let output, output.isEmpty || output == "-" {
            throw ValidationError("--output must be the path of a new store.")
        }
        for problem in OptionText.subsetProblems(given, dashes: "--") { throw ValidationError(problem.message + ".") }
        if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        if smallTables < 0 { throw ValidationError("--small-tables cannot be negative.") }
        _ = try parsedOptions([])
        var protected = ProtectedFiles()
        protected.add(StoreArgument.files(store), as: "the store's")
        protected.add(model, as: "the model")
        protected.add([rules, keyFile].compactMap(\.self), as: "the input")
        if let into { protected.add(StoreArgument.files(into), as: "the store's") }
        let file = output.flatMap { ConnectionText.isConnection($0) ? nil : $0 }
        try OutputArgument.check([("--output", file), ("--report", report), ("--html", page.html)], against: protected)
    }

    /// Checks the options that apply to a new store, and to one that exists.
    private func checkTarget() throws {
        guard let into else {
            if output == nil {
                throw ValidationError("--output NEW.sqlite is missing, or --into STORE to add to one that exists.")
            }
            if onConflict != nil { throw ValidationError("--on-conflict applies only to --into.") }
            return
        }
        if output != nil { throw ValidationError("--output and --into exclude each other.") }
        if into.isEmpty || into == "-" { throw ValidationError("--into must be the path of a store.") }
        if shipping.ship { throw ValidationError("--ship applies only to --output.") }
    }

    func run() throws {
        // The predicates are parsed first, so a wrong one reads and writes nothing.
        var options = try parsedOptions(from.map { try SubsetOptions.Selection(query: $0) })
        let given = try ModelArgument.readIfGiven(model)
        let document = try reportOutput()
        let pageOutput = try page.output(replacing: force, store: store)
        options.cancellation = Cancellation.current
        options.rules =
            try rules.map { path throws(GranaryError) in try AnonymisationRules(path: path) }
            ?? (modelRules ? AnonymisationRules() : nil)
        options.hashKey = try keyFile.map { path throws(GranaryError) in try KeyedHash(path: path) }
        if let into {
            try add(options, given, to: into, document, pageOutput)
        } else {
            try create(options, given, document, pageOutput)
        }
    }

    private func create(
        _ options: SubsetOptions, _ given: ManagedObjectModel?, _ document: ByteOutput?, _ pageOutput: PageOutput?
    ) throws {
        let report = try Subset(options: options).run(
            path: store, model: given, to: output ?? "",
            beforePublishing: { report in
                // A full disk must be noticed before the store has its name.
                document?.append(try CommandJSON.text(report))
                try document?.prepare()
                try pageOutput?.prepare(SubsetPage.html(report))
            })
        log(report)
        if !quiet { report.shipping?.log(report.store) }
        try publish(document, pageOutput, "the subset is stored")
        CommandOutput.log(report.ledger)
    }

    private func log(_ report: SubsetReport) {
        if !quiet { SubsetText.log(report, limit: diagnosticOptions.maxDiagnostics) }
    }

    private func publish(_ document: ByteOutput?, _ page: PageOutput?, _ outcome: String) throws(GranaryError) {
        do throws(GranaryError) {
            try document?.publish()
            try page?.publish()
        } catch {
            throw GranaryError(error.code, "\(error.message); \(outcome)", underlying: error)
        }
    }

    /// Adds the objects to a store as an import.
    private func add(
        _ options: SubsetOptions, _ given: ManagedObjectModel?, to target: String, _ document: ByteOutput?,
        _ pageOutput: PageOutput?
    ) throws {
        guard ConnectionText.isConnection(target) || FileManager.default.fileExists(atPath: target) else {
            throw GranaryError(.unreadable, "\(target): there is no such store; --output creates one")
        }
        let documents = try SubsetDocuments(
            Subset(options: options), path: store, model: given, addingTo: target, onConflict: onConflict ?? .error)
        var report = documents.report
        report.store = ConnectionText.displayName(of: target)
        log(report)
        document?.append(try CommandJSON.text(report))
        try document?.prepare()
        try pageOutput?.prepare(SubsetPage.html(report))
        var item = StoreImport(path: target, jobs: documents.jobs, run: ImportRunOptions())
        item.busyTimeout = storeOptions.busyTimeout
        var printing = ImportPrintingOptions()
        printing.maxDiagnostics = diagnosticOptions.given
        printing.isQuiet = quiet
        var execution = ImportExecution(
            report: nil, reportsAll: false, force: false, printing: printing)
        execution.explained = documents.explained
        let code = try execution.run([item], files: [])
        guard code == ExitCodes.success else { throw ExitCode(code) }
        try publish(document, pageOutput, "the objects are stored")
    }

    /// The names of the options that can contradict others.
    private var given: Set<String> {
        let options = [
            ("rules", rules != nil), ("model-rules", modelRules), ("anonymise", !anonymise.isEmpty),
            ("key-file", keyFile != nil), ("random-seed", randomSeed != nil), ("limit", limit != nil),
            ("sample", sample != nil),
        ]
        return Set(options.filter(\.1).map(\.0))
    }

    /// The options, without the files that they name.
    ///
    /// - Parameter selections: the objects of `--from`.
    /// - Throws: `ValidationError` for a text that is not valid.
    private func parsedOptions(_ selections: [SubsetOptions.Selection]) throws -> SubsetOptions {
        func parsed<Value>(
            _ texts: [String], _ option: String, _ read: (String) throws(OptionProblem) -> Value
        ) throws -> [Value] {
            try texts.map { text in
                do throws(OptionProblem) { return try read(text) } catch {
                    // A message with a mark below the text ends with it.
                    throw ValidationError("\(option) \(error.message)" + (error.message.contains("\n") ? "" : "."))
                }
            }
        }
        var options = SubsetOptions()
        options.selections = selections
        options.restrictSelections(
            limit: limit, sample: try parsed([sample].compactMap(\.self), "--sample", OptionText.sample).first)
        options.followed = try parsed(follow, "--follow", OptionText.follow)
        options.references = try parsed(reference, "--reference", OptionText.reference)
        options.smallTableLimit = smallTables
        options.explained = explain
        options.depth = depth
        options.unfollowedRelationships = noFollow
        options.anonymise(try parsed(anonymise, "--anonymise", OptionText.anonymised))
        options.randomSeed = randomSeed
        options.missingFiles = missingFiles
        options.replacesOutput = force
        options.ships = shipping.ship
        options.inlinesExternalData = shipping.external == .inline
        options.identifier = shipping.identifier
        options.busyTimeout = storeOptions.busyTimeout
        return options
    }

    /// Creates the report under a temporary name, so that an unusable path is found before the store is read.
    private func reportOutput() throws(GranaryError) -> ByteOutput? {
        guard let report else { return nil }
        if report == "-" { return ByteOutput.standardOutput() }
        return try ByteOutput.file(
            report, replacing: force, permissions: StoreArgument.permissions(store))
    }
}
