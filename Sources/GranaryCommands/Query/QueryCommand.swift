import ArgumentParser
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import GranaryFormats
import GranaryImport
import GranaryModel
import GranaryPredicates

/// `granary query`: prints chosen objects of a store.
struct QueryCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Prints the objects of an entity that satisfy a predicate.",
        discussion: HelpText.paragraphs(
            """
            A query is the name of an entity, or ENTITY WHERE PREDICATE, with a predicate in the format language of
            NSPredicate. The result contains the objects of subentities too. By default its columns are those of an
            export of the entity, with $id first. On a terminal it is a table that is as wide as the window: the first
            200 objects determine the width of each column, and longer values are cut.

            Examples:
              granary query Seed.sqlite 'Patient WHERE age > 60 AND injury.name == "Burn"'
              granary query Seed.sqlite Injury --columns 'name,patients.@count' \\
                --sort patients.@count:desc --limit 3
              granary query Seed.sqlite 'Patient WHERE injury == nil' --count
              granary query Seed.sqlite Patient --group-by injury.name \\
                --aggregate count,avg:age --sort count:desc
              granary query Seed.sqlite Patient --for excel-de --time-zone Europe/Berlin
            """))

    /// How the result is printed.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, csv, tsv, json, ndjson
    }

    @Argument(
        help: ArgumentHelp("The store; not with --store.", valueName: "store"), completion: .file())
    var first: String

    @Argument(help: ArgumentHelp("The query: ENTITY or ENTITY WHERE PREDICATE.", valueName: "query"))
    var second: String?

    @Option(
        name: .customLong("store"),
        help: ArgumentHelp("The store, in place of the first argument.", valueName: "store"), completion: .file())
    var storeOption: String?

    /// The path of the store.
    private var store: String { storeOption ?? first }
    private var givenQuery: String { (storeOption == nil ? second : first) ?? "" }
    private var query: String { condition.map { "\(givenQuery) WHERE \($0)" } ?? givenQuery }

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("The predicate, if the query is an entity alone.", valueName: "predicate"))
    var condition: String?

    @Option(
        help: ArgumentHelp(
            "The model of the store; repeatable to merge several (default: the model in the store).", valueName: "model"
        ),
        completion: .file())
    var model: [String] = []

    @OptionGroup var selection: SelectionOptions

    @OptionGroup(title: "Groups") var grouping: GroupingOptions

    @Flag(help: "Print only the number of objects.")
    var count = false

    @Option(help: "The format of the result (default: table on a terminal, otherwise csv).")
    var format: Format?

    @Option(
        help: ArgumentHelp(
            "table, csv and tsv: the text for NULL (default: NULL in a table, otherwise the empty field).",
            valueName: "text"))
    var null: String?

    @Option(help: "The format of dates (default: iso8601); seconds count from 2001-01-01 00:00:00 UTC.")
    var dates: DateStyle?

    @Option(help: "The encoding of binary data (default: base64).")
    var binary: BinaryStyle?

    @Option(help: "How to write relationships: by the key of the destination (its unique attributes), or by id.")
    var reference: ExportOptions.ReferenceStyle?

    @OptionGroup(title: "Text files") var text: TextFormOptions

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if storeOption != nil, second != nil {
            throw ValidationError("the store is given twice, as the argument '\(first)' and with --store.")
        }
        if storeOption == nil, second == nil {
            throw ValidationError("a store and a query are needed: granary query Seed.sqlite 'Patient WHERE age > 60'.")
        }
        if condition != nil, givenQuery.split(separator: " ").count > 1 {
            throw ValidationError("--where needs a query that is an entity alone, such as Patient.")
        }
        if try grouping.query() != nil, count || selection.columns != nil {
            throw ValidationError("--group-by and --aggregate exclude --columns and --count; use --aggregate count.")
        }
        if count,
            selection.columns != nil || format != nil || null != nil || dates != nil || binary != nil
                || reference != nil || !text.isEmpty
        {
            throw ValidationError(
                "--count prints a number; it excludes --columns, --format, --null, --dates, --binary, --reference and the "
                    + "options on text files.")
        }
        if null != nil, format == .json || format == .ndjson {
            throw ValidationError("--null applies only to table, csv and tsv.")
        }
        let form = try form()
        if dates != nil, form.changesDates {
            throw ValidationError("--dates excludes --date-format, --time-zone and --for.")
        }
    }

    /// The form of the result.
    private func form() throws -> TextForm {
        // Only CSV and TSV have a delimiter or an encoding. A named form is one of CSV, and its values also of a table.
        let chosen: Format? = format ?? (text.named == nil ? nil : .csv)
        switch chosen {
        case .csv: return try text.form(for: .csv)
        case .tsv: return try text.form(for: .tsv)
        case .json: return try text.form(for: .json)
        case .ndjson: return try text.form(for: .ndjson)
        case .table:
            guard text.delimiter == nil, text.quote == nil, text.encoding == nil, !text.bom else {
                throw ValidationError("--delimiter, --quote, --encoding and --bom do not apply to a table.")
            }
            // A table has the forms of values of a named form, not its separators.
            var form = try text.form(for: .csv)
            (form.delimiter, form.quote, form.encoding, form.hasByteOrderMark) = (nil, nil, nil, false)
            return form
        case nil: return try text.form(for: .csv)
        }
    }

    func run() throws {
        let query = try QueryText(self.query)
        let source = try StoreArgument.openForReading(store, models: model, storeOptions, leavesFiles: true)
        var options = ExportOptions()
        options.predicate = query.predicate
        try selection.apply(to: &options)
        options.reference = reference
        options.cancellation = Cancellation.current
        if let predicate = query.predicate, let text = query.condition {
            try PredicateText.check(predicate, text, entity: query.entity, in: source.schema)
        }
        options.form = try form()
        options.roundsDates = text.roundDates
        let exporter = Exporter(options: options)
        let rounded = options.roundsDates ? RoundedDates() : nil
        if let groups = try grouping.query() {
            let rows = try exporter.groups(of: source, entity: query.entity, groups)
            let found = try write(exporter, rounded) { try rows.write(into: $0) }
            CommandOutput.log(rounded?.diagnostics(options.form) ?? [], limit: diagnosticOptions.maxDiagnostics)
            return CommandOutput.log(CountText.count(found, "group"))
        }
        // The check comes before any output, so a wrong query prints no part of a table.
        try exporter.checkQuery(of: query.entity, in: source.schema)
        if count { return try CommandOutput.write("\(try exporter.count(source, entity: query.entity))\n") }
        let objects = try write(exporter, rounded) { writer in
            try exporter.runQuery(source, entity: query.entity, into: writer)
        }
        CommandOutput.log(rounded?.diagnostics(options.form) ?? [], limit: diagnosticOptions.maxDiagnostics)
        CommandOutput.log(CountText.count(objects, "object"))
    }

    /// Prints rows, and returns their number.
    private func write(
        _ exporter: Exporter, _ rounded: RoundedDates?, _ rows: (any ValueWriter) throws -> Int
    ) throws -> Int {
        let terminal = CommandOutput.current.dataTerminal
        let form = exporter.options.form
        let isPlain = text.named == nil && text.delimiter == nil && text.encoding == nil
        let format = format ?? (terminal.isPresent && isPlain ? .table : .csv)
        let output = ByteOutput.standardOutput()
        if format != .table { form.apply(to: output) }
        switch format {
        case .table:
            var table = TableWriter.Options()
            if let null { table.null = null }
            if let dates { table.dates = dates }
            if let binary { table.binary = binary }
            (table.form, table.rounded) = (form, rounded)
            table.width = terminal.isPresent ? terminal.width : nil
            return try rows(
                TableWriter(options: table) { (text) throws(GranaryError) in try CommandOutput.write(text) })
        case .csv, .tsv:
            var csv = format == .tsv ? CSVWriter.Options.tsv : CSVWriter.Options()
            // A query is read by people.
            csv.allowsBlankRows = true
            csv.nonFinite = .text
            if let null { csv.null = null }
            if let dates { csv.dates = dates }
            if let binary { csv.binary = binary }
            csv.escapesFormulas = text.named != nil
            csv.apply(form, rounded: rounded)
            return try rows(CSVWriter(output, options: csv))
        case .json, .ndjson:
            var json = JSONWriter.Options()
            json.nonFinite = .text
            json.shape = format == .ndjson ? .lines : .array
            if let dates { json.dates = dates }
            if let binary { json.binary = binary }
            (json.form, json.rounded) = (form, rounded)
            return try rows(JSONWriter(output, options: json))
        }
    }
}
