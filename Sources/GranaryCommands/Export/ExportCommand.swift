import ArgumentParser
import Foundation
import GranaryBase
import GranaryFormats
import GranaryPersistence
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
        try checkOutput()
        let source = try StoreArgument.openForReading(store, models: model, storeOptions)
        source.leavesFiles = true
        let interrupt = InterruptWatch()
        defer { interrupt.stop() }
        var options = options(for: format)
        options.cancellation = interrupt.cancellation
        let exporter = Exporter(options: options)
        let tables = try exporter.tables(of: source.schema)
        if output == "-", tables.count > 1, format.isDelimited || format == .ndjson {
            throw GranaryError(
                .usage,
                "standard output takes one entity, and these are \(tables.count); choose with --entity, or name a folder"
            )
        }
        let report: ExportReport
        switch format {
        case .csv, .tsv:
            let options = values.csvOptions(format)
            if tables.count == 1 {
                report = try exporter.run(source, into: CSVWriter(try makeOutput(), options: options))
            } else {
                report = try exporter.run(
                    source,
                    into: folder(format) { (file) throws(GranaryError) in
                        try CSVWriter(file, options: options)
                    })
            }
        case .ndjson:
            let options = values.jsonOptions(.lines)
            if tables.count == 1 {
                report = try exporter.run(source, into: JSONWriter(try makeOutput(), options: options))
            } else {
                report = try exporter.run(source, into: folder(format) { JSONWriter($0, options: options) })
            }
        case .json:
            let options = values.jsonOptions(isOne(tables) ? .array : .document)
            report = try exporter.run(source, into: JSONWriter(try makeOutput(), options: options))
        case .plist:
            let options = values.plistOptions(isOne(tables) ? .array : .document)
            report = try exporter.run(source, into: PropertyListWriter(try makeOutput(), options: options))
        case .terms:
            let writer = try TermsWriter(
                try makeOutput(), delimiter: terms.delimiter ?? "", fieldDelimiter: terms.fieldDelimiter,
                dates: values.dates ?? .iso8601,
                binary: values.binary ?? .base64)
            report = try exporter.runTerms(
                source, entity: entity.first ?? "", attributes: terms.attributes, ordinal: terms.ordinal,
                into: writer)
        }
        let stray = try source.strayRows().map { table, count in
            Diagnostic(
                .storeCorrupt,
                "\(table): \(count) row\(count == 1 ? " is" : "s are") of no entity that objects can be of, and not exported; "
                    + "store check tells which", severity: .warning)
        }
        CommandOutput.log(stray, limit: diagnosticOptions.maxDiagnostics)
        let counts = report.tables.map { "\($0.entity) \($0.objects)" }.joined(separator: " + ")
        CommandOutput.log("exported \(report.objects) = \(counts)")
    }

    private func options(for format: DataFormat) -> ExportOptions {
        var options = ExportOptions()
        options.entities = entity
        options.columns = columns?.split(separator: ",").map(String.init) ?? []
        options.reference = reference
        options.identifiers = format.isDelimited ? .whereNeeded : .always
        return options
    }

    /// Whether the file is one entity's array: one was asked for, and it has no subentities.
    private func isOne(_ tables: [String]) -> Bool { Set(entity).count == 1 && tables.count == 1 }

    /// Refuses an output that stands in the way before anything is read.
    private func checkOutput() throws(GranaryError) {
        guard output != "-" else { return }
        guard FileManager.default.fileExists(atPath: output) else { return }
        if !force { throw GranaryError(.uncreatable, "\(output): exists already; say --force to replace it") }
    }

    private func makeOutput() throws(GranaryError) -> ByteOutput {
        if output == "-" { return .standardOutput() }
        return try .file(output, replacing: force, permissions: permissions)
    }

    private func folder<Table: RecordWriter>(
        _ format: DataFormat, _ makeTable: @escaping (ByteOutput) throws(GranaryError) -> Table
    ) throws(GranaryError) -> FolderWriter<Table> {
        try FolderWriter(
            path: output, fileExtension: format.rawValue, replacing: force, permissions: permissions,
            makeTable: makeTable)
    }

    private var permissions: UInt32 { SQLiteStore.permissions(ofStore: store) }
}
