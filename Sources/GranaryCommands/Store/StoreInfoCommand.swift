import ArgumentParser
import GranaryInspection

/// `granary store info`: describes a store.
struct StoreInfoCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Describes a store: entities, counts, relationships, hashes, history, external data.",
        discussion: HelpText.paragraphs(
            """
            The store is not changed. Without --model, the description uses the model in the store, or one that is
            inferred from its tables. With --model, it also says whether that model fits and what differs; the exit code
            is 0 in both cases. An entity's count does not include the objects of its subentities.

            Example:
              granary store info Seed.sqlite --format json
            """))

    @OptionGroup var input: StoreInput
    private var store: String { input.path }

    @Option(help: "The format of the description.")
    var format = ReportFormat.text

    @Option(
        help: ArgumentHelp("A model to compare with the store; repeatable to merge several.", valueName: "model"),
        completion: .file())
    var model: [String] = []

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        let given = try ModelArgument.readIfGiven(model)
        let summary = try StoreInspector(path: store, busyTimeout: storeOptions.timeout).summary(given: given)
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(StoreListing.json(of: summary)))
        case .text: try CommandOutput.writeText(StoreText.text(of: summary))
        }
    }
}
