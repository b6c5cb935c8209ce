import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import GranaryFormats
import GranaryImport
import GranaryModel
import GranaryPredicates
import GranaryRecords
import GranarySubset

/// `granary export`: exports objects from a store.
struct ExportCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports a store to CSV, TSV, JSON, JSON Lines, a property list or a constant table.",
        discussion: HelpText.paragraphs(
            """
            An import of the exported files produces an equal store, and the same store gives the same bytes. A path
            that ends with a slash is a folder with a file for each entity; any other path is a file. A CSV, TSV or JSON
            Lines file contains one entity; a JSON file or property list can contain all entities, and then also the
            model. A file name that ends in .gz is compressed. Transient and derived attributes are omitted. Without
            --model, the export uses the model in the store, or infers one from its tables with a warning. With
            --anonymise, the export is that of a copy with replaced values: conditions, orders and paths are those of
            the new values.

            Examples:
              granary export Seed.sqlite --output seed.json
              granary export Seed.sqlite --format csv --output all/
              granary export Seed.sqlite --entity Injury --output -
              granary export Seed.sqlite --entity Injury --format terms \\
                --delimiter % --attribute name --ordinal key --output -
              granary export Seed.sqlite --entity Patient --where 'age > 60' \\
                --sort name --columns name,age,injury.name --output old.csv
              granary export Seed.sqlite --entity Patient --for excel-de \\
                --time-zone Europe/Berlin --output Patienten.csv
              granary export Seed.sqlite --entity Injury --nested patients \\
                --output injuries.json
            """))

    @OptionGroup var input: StoreInput
    private var store: String { input.path }

    @Option(
        help: ArgumentHelp(
            "The model of the store; repeatable to merge several (default: the model in the store).", valueName: "model"
        ),
        completion: .file())
    var model: [String] = []

    @Option(
        help: ArgumentHelp("An entity and its subentities; repeatable (default: all entities).", valueName: "entity"))
    var entity: [String] = []

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Export only the objects that satisfy a predicate, such as 'age > 60'; needs one entity.",
            valueName: "predicate"))
    var condition: String?

    @OptionGroup var selection: SelectionOptions

    @Option(
        help: ArgumentHelp(
            "The format of the output (default: the format that its extension names; for standard output csv if one "
                + "entity is exported, otherwise json)."))
    var format: DataFormat?

    @Option(
        help: ArgumentHelp(
            "The file to write, the folder if it ends with a slash, or - for standard output.", valueName: "path"),
        completion: .file())
    var output: String

    @Flag(help: "Write the objects of an entity and its subentities as one table, with the column $entity.")
    var subentities = false

    @Flag(help: "Omit one side of a relationship if the other side contains the same links and is exported too.")
    var omitInverses = false

    @Option(
        help: ArgumentHelp(
            "JSON, JSON Lines and plist: write the objects of a relationship inside the object that refers to them; "
                + "repeatable. A path such as injuries.treatments nests again; Patient.injuries is that of one entity.",
            valueName: "relationship"))
    var nested: [String] = []

    @Flag(
        name: .customLong("repeat"),
        help: "With --nested: write objects inside every row that refers to them, not their keys after the first.")
    var repeats = false

    @OptionGroup(title: "Values") var values: ExportValueOptions

    @OptionGroup(title: "Text files") var text: TextFormOptions

    @OptionGroup(title: "Replaced values") var anonymising: ExportAnonymisingOptions

    @OptionGroup(title: "Constant tables") var terms: ExportTermsOptions

    @Option(help: "How to write relationships: by the key of the destination (its unique attributes), or by id.")
    var reference: ExportOptions.ReferenceStyle?

    @Flag(help: "Replace an existing output.")
    var force = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        guard let format = chosenFormat else {
            throw ValidationError(FormatText.unknown(output: output))
        }
        try values.check(against: format)
        let form = try text.form(for: format)
        if values.dates != nil, form.changesDates {
            throw ValidationError("--dates excludes --date-format, --time-zone and --for.")
        }
        try terms.check(against: format, delimiter: text.delimiter, entities: entity.count)
        if format == .terms, selection.columns != nil || reference != nil || subentities || omitInverses {
            throw ValidationError(
                "--columns, --reference, --subentities and --omit-inverses do not apply to a constant table; use "
                    + "--attribute.")
        }
        if !nested.isEmpty, !format.nests {
            throw ValidationError("--nested applies only to json, ndjson and plist.")
        }
        if repeats, nested.isEmpty { throw ValidationError("--repeat needs --nested.") }
        if !nested.isEmpty, omitInverses { throw ValidationError("--nested and --omit-inverses exclude each other.") }
        if values.blobs == .files, output == "-" {
            throw ValidationError("--blobs files needs a file or a folder; it cannot write to standard output.")
        }
        if condition != nil || !selection.isEmpty, Set(entity).count != 1 {
            throw ValidationError("--where, --sort, --limit and --offset need one entity; pass --entity once.")
        }
        if terms.ordinal != nil, !selection.sort.isEmpty {
            throw ValidationError("--ordinal determines the order of a constant table; omit --sort.")
        }
        if output.isEmpty { throw ValidationError("--output is empty; use - for standard output.") }
        var protected = ProtectedFiles()
        protected.add(StoreArgument.files(store), as: "the store's")
        protected.add(model, as: "the model")
        protected.add(anonymising.files, as: "the input")
        try OutputArgument.check([("--output", output)], against: protected)
    }

    /// The format of the output.
    var chosenFormat: DataFormat? {
        // `--for` writes CSV.
        if let known = format ?? (output.hasSuffix("/") ? nil : DataFormat(fileName: output)) { return known }
        if text.named != nil { return .csv }
        // Standard output has no extension.
        return output == "-" ? entity.count == 1 && nested.isEmpty ? .csv : .json : nil
    }

    /// The format, once the model is known: on standard output, the objects of several subentities are a document.
    func chosenFormat(in schema: Schema) -> DataFormat? {
        let isCSV = format != nil || subentities || !text.isEmpty || values.null != nil || values.spreadsheet
        guard chosenFormat == .csv, output == "-", !isCSV,
            let entity = entity.first.flatMap(schema.entity(named:)),
            entity.family.count(where: { !schema.entities[$0].isAbstract }) > 1
        else { return chosenFormat }
        return .json
    }

    func run() throws {
        guard var format = chosenFormat else { return }
        // The predicate is parsed first, so a wrong one reads and writes nothing.
        let predicate = try condition.map { try ObjectPredicate($0) }
        var destination =
            output == "-"
            ? ExportDestination.standardOutput(format) : .path(output, format: format, replacing: force)
        destination.permissions = SQLiteStore.permissions(ofStore: store)
        try destination.check()
        let source = try StoreArgument.openForReading(store, models: model, storeOptions, leavesFiles: true)
        if let known = chosenFormat(in: source.schema), known != format {
            format = known
            destination = .standardOutput(known)
        }
        var options = values.options
        options.entities = entity
        options.predicate = predicate
        try selection.apply(to: &options)
        options.combinesSubentities = subentities
        options.nested = nested
        options.repeatsNested = repeats
        options.omitsInverses = omitInverses
        options.reference = reference
        options.terms = terms.terms(delimiter: text.delimiter)
        options.form = try text.form(for: format)
        options.roundsDates = text.roundDates
        if text.named != nil { options.isForSpreadsheets = true }
        options.cancellation = Cancellation.current
        if let predicate, let condition, let name = entity.first {
            try PredicateText.check(predicate, condition, entity: name, in: source.schema)
        }
        let copy = try anonymising.copy(of: source, missingFiles: options.missingFiles, storeOptions)
        if let copy { log(copy.report) }
        let report = try Exporter(options: options).run(copy?.store ?? source, to: destination)
        CommandOutput.log(report.warnings, limit: diagnosticOptions.maxDiagnostics)
        let inner = report.nested > 0 ? ["nested \(report.nested)"] : []
        let counts = (report.tables.map { "\($0.entity) \($0.objects)" } + inner).joined(separator: " + ")
        CommandOutput.log("exported \(report.objects) = \(counts)")
        TextFormText.logImport(options, format, expressions: report.expressions, entity: entityOfFile(report))
    }

    private func log(_ report: SubsetReport) {
        CommandOutput.log(report.warnings, count: report.warningCount, limit: diagnosticOptions.maxDiagnostics)
        for line in SubsetText.valueLines(report) { CommandOutput.log(line) }
    }

    /// The entity that an import of the file needs as an option, because its name tells another one or none.
    private func entityOfFile(_ report: ExportReport) -> String? {
        guard !output.hasSuffix("/"), report.tables.count == 1, let entity = report.tables.first?.entity else {
            return nil
        }
        return output != "-" && DataFormat.baseName(of: output) == entity ? nil : entity
    }
}

/// The options on values: how they are written.
struct ExportValueOptions: ParsableArguments {
    @Option(help: ArgumentHelp("CSV and TSV: the text for NULL (default: the empty field).", valueName: "text"))
    var null: String?

    @Option(help: "The format of dates (default: iso8601); seconds count from 2001-01-01 00:00:00 UTC.")
    var dates: DateStyle?

    @Option(help: "The encoding of binary data (default: base64).")
    var binary: BinaryStyle?

    @Option(help: "The encoding of a property list (default: xml).")
    var plistEncoding: PropertyListEncoding?

    @Option(help: "How to write infinities and NaN, which stores of other programs can contain.")
    var nonFinite = NonFiniteStyle.error

    @Option(help: "How to treat a missing file with external data.")
    var missingFiles = MissingFilePolicy.error

    @Option(
        help: "Where to write values that the model keeps in external storage: in the table, or in files beside it.")
    var blobs = ExportOptions.BlobPlace.inline

    @Flag(help: "CSV and TSV: write fields so that no spreadsheet runs them as formulas.")
    var spreadsheet = false

    /// - Throws: `ValidationError` for an option that does not apply to the format.
    func check(against format: DataFormat) throws {
        if null != nil, !format.isDelimited { throw ValidationError("--null applies only to csv and tsv.") }
        if spreadsheet, !format.isDelimited { throw ValidationError("--spreadsheet applies only to csv and tsv.") }
        if blobs == .files, format == .terms { throw ValidationError("--blobs files does not apply to terms.") }
        if plistEncoding != nil, format != .plist { throw ValidationError("--plist-encoding applies only to plist.") }
        if format == .plist, dates != nil || binary != nil {
            throw ValidationError("--dates and --binary do not apply to plist, which has its own types for them.")
        }
    }

    var options: ExportOptions {
        var options = ExportOptions()
        options.nullText = null
        if let dates { options.dates = dates }
        if let binary { options.binary = binary }
        if let plistEncoding { options.propertyListEncoding = plistEncoding }
        options.nonFinite = nonFinite
        options.missingFiles = missingFiles
        options.blobs = blobs
        options.isForSpreadsheets = spreadsheet
        return options
    }
}
