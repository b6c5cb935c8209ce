import ArgumentParser
import GranaryModel

/// `granary model show`: what a model says, for people and programs.
struct ModelShowCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a model's entities, their properties, types and rules.",
        discussion: HelpText.paragraphs(
            """
            Inherited properties are shown with every entity. The JSON is a model archive with the same tables beside it.

            Example:
              granary model show Triage.xcdatamodeld
            """))

    @Argument(help: ArgumentHelp("The model; several are merged.", valueName: "model"), completion: .file())
    var models: [String]

    @Option(help: "text or json.")
    var format = ReportFormat.text

    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        let schema = try ModelArgument.load(models)
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(ModelListing(schema)))
        case .text: try CommandOutput.writeText(ModelText.text(of: schema))
        }
    }
}
