import ArgumentParser
import GranaryModel

/// `granary model show`: prints the content of a model.
struct ModelShowCommand: ParsableCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a model's entities, their properties, types and rules.",
        discussion: HelpText.paragraphs(
            """
            Each entity is shown with its inherited properties. The JSON is a model archive with additional keys.

            Example:
              granary model show Triage.xcdatamodeld
            """))

    @Argument(help: ArgumentHelp("The model; several are merged.", valueName: "model"), completion: .file())
    var models: [String]

    @Option(help: "The format of the result.")
    var format = ReportFormat.text

    @OptionGroup(title: SwiftDataArguments.title) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        let schema = try ModelArgument.load(models)
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(ModelListing.json(of: schema)))
        case .text: try CommandOutput.writeText(ModelText.text(of: schema))
        }
    }
}
