import ArgumentParser
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryRecords
import GranarySurvey

/// `granary inspect`: what a data file is, and the command that imports it.
struct InspectCommand: InterruptibleCommand, SwiftDataCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Says what a data file is, and prints the command that imports it.",
        discussion: HelpText.paragraphs(
            """
            The whole file is read: encoding, delimiter, quotes, header, line ends, texts for NULL, forms of numbers, dates
            and Booleans, separators of lists, and where the records of a JSON document are. With a model, only columns of
            these types count, and the columns are compared with the entity's properties. Where the file cannot tell
            (01/02/2024), both readings are printed, and the exit code is 1. Of an SQLite database, the tables are
            listed.

            Examples:
              granary inspect export.csv
              granary inspect export.csv --model Shop.xcdatamodeld --entity Order
              granary inspect export.csv --model Shop.xcdatamodeld --entity Order \\
                --plan > seed.yaml
            """))

    @Argument(help: ArgumentHelp("The file to read.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("The model; repeatable to merge several.", valueName: "model"), completion: .file())
    var model: [String] = []

    @Option(help: "The entity of the records (default: the entity that the file is named after).")
    var entity: String?

    @Option(
        help: "The format of the file, such as json (default: the format that the extension or the contents name).")
    var dataFormat: DataFormat?

    @Option(help: ArgumentHelp("The store in the printed command.", valueName: "store"))
    var store = "Seed.sqlite"

    @Flag(help: "Print a seed plan instead of a command.")
    var plan = false

    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments

    @Option(help: "The format of the answer; that of the file is --data-format.")
    var format = ReportFormat.text

    func validate() throws {
        if plan, format == .json { throw ValidationError("--plan prints a plan, not JSON; omit one of them.") }
        if entity != nil, model.isEmpty { throw ValidationError("--entity needs --model.") }
    }

    func run() throws {
        if dataFormat == nil, DatabaseFile.isDatabase(file) { return try adviseOnDatabase() }
        let found = try foundEntity()
        var given = SourceOptions()
        given.format = dataFormat
        // As an import does.
        given.blankRows = .skip
        let survey = try FileSurvey(path: file, given: given, entity: found)
        let advice = ImportAdvice(survey, models: model, store: store, entity: entity ?? found?.name)
        switch format {
        case .json: try CommandOutput.write(try CommandJSON.text(advice.json) + "\n")
        case .text: try CommandOutput.writeText(plan ? advice.plan : advice.text)
        }
        if plan { advice.logDoubts() }
        if !survey.doubts.isEmpty || survey.malformed > 0 { throw ExitCode(ExitCodes.found) }
    }

    private func adviseOnDatabase() throws {
        let schema = model.isEmpty ? nil : try ModelArgument.load(model)
        let advice = try DatabaseAdvice(file, models: model, schema: schema, store: store, entity: entity)
        switch format {
        case .json: try CommandOutput.write(try CommandJSON.text(advice.json) + "\n")
        case .text: try CommandOutput.writeText(plan ? advice.plan : advice.text)
        }
    }

    /// The entity in the model; nil without a model, and for a file that has several entities or names its own.
    private func foundEntity() throws(GranaryError) -> Schema.Entity? {
        guard !model.isEmpty else { return nil }
        let schema = try ModelArgument.load(model)
        let name = entity ?? DataFormat.baseName(of: file)
        if let found = schema.entity(named: name) { return found }
        guard entity == nil else {
            throw GranaryError(
                .usage,
                "the model has no entity \"\(Diagnostic.shortened(name))\""
                    + NearestText.hint(for: name, in: schema.entities.map(\.name)))
        }
        let folded = schema.entities.filter { NearestText.nearest(to: name, in: [$0.name]) != nil }
        if folded.count == 1 { return folded[0] }
        throw GranaryError(
            .usage,
            "which entity are these records? The model has \(schema.entities.map(\.name).joined(separator: ", "))",
            help: OptionHelp.option("entity", schema.entities.first?.name ?? "NAME"))
    }
}
