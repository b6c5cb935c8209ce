import ArgumentParser
import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranarySeeding

/// `granary export`: objects out of a store.
struct ExportCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports a store to CSV, TSV, JSON, JSON Lines, a property list or a constant table.",
        discussion: HelpText.paragraphs(
            """
            What is exported imports again, and gives an equal store; the same store gives the same bytes. CSV, TSV and
            JSON Lines hold one entity to a file, so that several go to a folder, a file each. JSON and property lists
            hold all asked for in one file, with the model. Transient and derived attributes are left out. Without
            --model the store's own is used, or one that is inferred from its tables, which is then said.

            Examples:
              granary export --store Seed.sqlite --format json --output seed.json
              granary export --store Seed.sqlite --entity Injury --format terms \\
                --delimiter % --attribute name --ordinal key --output -
            """))

    @Option(help: ArgumentHelp("The store to read.", valueName: "store"), completion: .file())
    var store: String

    @Option(
        help: ArgumentHelp(
            "The store's model; repeat it to merge several. Without it, the one in the store.", valueName: "model"),
        completion: .file())
    var model: [String] = []

    @Option(help: ArgumentHelp("An entity, with its subentities; repeatable. Without it, all.", valueName: "entity"))
    var entity: [String] = []

    @Option(help: "csv, tsv, json, ndjson, plist or terms; without it, what the output's name says.")
    var format: DataFormat?

    @Option(
        help: ArgumentHelp("The file or folder to write, or - for standard output.", valueName: "path"),
        completion: .file())
    var output: String

    @Option(help: ArgumentHelp("The columns, between commas, in this order; $id is one.", valueName: "a,b,…"))
    var columns: String?

    @OptionGroup(title: "Values") var values: ExportValueOptions

    @OptionGroup(title: "Constant tables") var terms: ExportTermsOptions

    @Option(help: "How a relationship is written: key (the destination's unique attribute) or id.")
    var reference: ExportOptions.ReferenceStyle?

    @Flag(help: "Replace an output that exists.")
    var force = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        guard let format = chosenFormat else {
            throw ValidationError("say --format: the output's name does not tell the format.")
        }
        try values.check(against: format)
        try terms.check(against: format, entities: entity.count)
        if format == .terms, columns != nil || reference != nil {
            throw ValidationError("--columns and --reference say nothing about a constant table; use --attribute.")
        }
        if let columns, columns.split(separator: ",", omittingEmptySubsequences: false).contains("") {
            throw ValidationError("--columns has an empty name.")
        }
        if output.isEmpty { throw ValidationError("--output is empty; - is standard output.") }
        var protected = ProtectedFiles()
        protected.add(SQLiteStore.files(ofStore: store), as: "the store's")
        protected.add(model, as: "the model")
        try OutputArgument.check([("--output", output)], against: protected)
    }

    /// Compressed files are only read, so the name of one determines no format.
    var chosenFormat: DataFormat? {
        format ?? (output.lowercased().hasSuffix(".gz") ? nil : DataFormat(fileName: output))
    }

    func run() throws {
        guard let format = chosenFormat else { return }
        var destination =
            output == "-"
            ? ExportDestination.standardOutput(format) : .path(output, format: format, replacing: force)
        destination.permissions = SQLiteStore.permissions(ofStore: store)
        try destination.check()
        let source = try StoreArgument.openForReading(store, models: model, storeOptions)
        source.leavesFiles = true
        let interrupt = InterruptWatch()
        defer { interrupt.stop() }
        var options = values.options
        options.entities = entity
        options.columns = columns?.split(separator: ",").map(String.init) ?? []
        options.reference = reference
        options.terms = terms.terms
        options.cancellation = interrupt.cancellation
        let report = try Exporter(options: options).run(source, to: destination)
        CommandOutput.log(report.warnings, limit: diagnosticOptions.maxDiagnostics)
        let counts = report.tables.map { "\($0.entity) \($0.objects)" }.joined(separator: " + ")
        CommandOutput.log("exported \(report.objects) = \(counts)")
    }
}

/// How values are written.
struct ExportValueOptions: ParsableArguments {
    @Option(help: ArgumentHelp("CSV and TSV: how NULL is written (default: the empty field).", valueName: "text"))
    var null: String?

    @Option(help: "iso8601 (default) or seconds since 2001-01-01 00:00:00 UTC.")
    var dates: DateStyle?

    @Option(help: "base64 (default) or hex.")
    var binary: BinaryStyle?

    @Option(help: "Property lists: xml (default) or binary.")
    var plistEncoding: PropertyListEncoding?

    /// - Throws: a sentence for what the format has no use for.
    func check(against format: DataFormat) throws {
        if null != nil, !format.isDelimited { throw ValidationError("--null is for csv and tsv.") }
        if plistEncoding != nil, format != .plist { throw ValidationError("--plist-encoding is for plist.") }
        if format == .plist, dates != nil || binary != nil {
            throw ValidationError("a property list has its own dates and data; leave out --dates and --binary.")
        }
    }

    var options: ExportOptions {
        var options = ExportOptions()
        options.nullText = null
        if let dates { options.dates = dates }
        if let binary { options.binary = binary }
        if let plistEncoding { options.propertyListEncoding = plistEncoding }
        return options
    }
}
