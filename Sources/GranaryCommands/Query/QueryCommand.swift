import ArgumentParser
import GranaryBase
import GranaryCoreDataStore
import GranaryExport
import GranaryFormats
import GranaryImport
import GranaryModel
import GranaryPredicates

/// `granary query`: prints chosen objects of a store.
struct QueryCommand: InterruptibleCommand, DiagnosticPrinting {
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
            """))

    /// How the result is printed.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, csv, tsv, json, ndjson
    }

    @Argument(help: "The store.", completion: .file())
    var store: String

    @Argument(help: "The query: ENTITY or ENTITY WHERE PREDICATE.")
    var query: String

    @Option(
        help: ArgumentHelp(
            "The model of the store; repeatable to merge several (default: the model in the store).", valueName: "model"
        ),
        completion: .file())
    var model: [String] = []

    @OptionGroup var selection: SelectionOptions

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

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if count,
            selection.columns != nil || format != nil || null != nil || dates != nil || binary != nil
                || reference != nil
        {
            throw ValidationError(
                "--count prints a number; it excludes --columns, --format, --null, --dates, --binary and --reference.")
        }
        if null != nil, format == .json || format == .ndjson {
            throw ValidationError("--null applies only to table, csv and tsv.")
        }
    }

    func run() throws {
        let query = try QueryText(self.query)
        let source = try StoreArgument.openForReading(store, models: model, storeOptions)
        source.leavesFiles = true
        var options = ExportOptions()
        options.predicate = query.predicate
        try selection.apply(to: &options)
        options.reference = reference
        options.cancellation = Cancellation.current
        if let predicate = query.predicate, let text = query.condition {
            try PredicateText.check(predicate, text, entity: query.entity, in: source.schema)
        }
        let exporter = Exporter(options: options)
        // The check comes before any output, so a wrong query prints no part of a table.
        try exporter.checkQuery(of: query.entity, in: source.schema)
        if count { return try CommandOutput.write("\(try exporter.count(source, entity: query.entity))\n") }
        let objects = try write(source, query.entity, exporter)
        CommandOutput.log(CountText.count(objects, "object"))
    }

    /// Prints the objects, and returns their number.
    private func write(_ source: SQLiteStore, _ entity: String, _ exporter: Exporter) throws -> Int {
        let terminal = CommandOutput.current.dataTerminal
        let format = format ?? (terminal.isPresent ? .table : .csv)
        switch format {
        case .table:
            var table = TableWriter.Options()
            if let null { table.null = null }
            if let dates { table.dates = dates }
            if let binary { table.binary = binary }
            table.width = terminal.isPresent ? terminal.width : nil
            let writer = TableWriter(options: table) { (text) throws(GranaryError) in try CommandOutput.write(text) }
            return try exporter.runQuery(source, entity: entity, into: writer)
        case .csv, .tsv:
            var csv = format == .tsv ? CSVWriter.Options.tsv : CSVWriter.Options()
            csv.nonFinite = .text
            if let null { csv.null = null }
            if let dates { csv.dates = dates }
            if let binary { csv.binary = binary }
            return try exporter.runQuery(source, entity: entity, into: CSVWriter(.standardOutput(), options: csv))
        case .json, .ndjson:
            var json = JSONWriter.Options()
            json.nonFinite = .text
            json.shape = format == .ndjson ? .lines : .array
            if let dates { json.dates = dates }
            if let binary { json.binary = binary }
            return try exporter.runQuery(source, entity: entity, into: JSONWriter(.standardOutput(), options: json))
        }
    }
}
