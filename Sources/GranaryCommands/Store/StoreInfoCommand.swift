import ArgumentParser
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection

/// `granary store info`: what a store says about itself.
struct StoreInfoCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Tells what a store holds: entities, counts, relationships, hashes, history, external data.",
        discussion: HelpText.paragraphs(
            """
            No model is needed: without one the model that the store carries speaks, or what its tables tell. With one it
            is told whether it fits, and what differs; that is an answer, and the exit code is 0. The store is not
            changed. A count is of an entity's own objects, without those of its subentities.

            Example:
              granary store info Seed.sqlite --format json
            """))

    @Argument(help: "The store.", completion: .file())
    var store: String

    @Option(help: "text or json.")
    var format = ReportFormat.text

    @Option(
        help: ArgumentHelp("The store's model; repeat it to merge several.", valueName: "model"), completion: .file())
    var model: [String] = []

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        let given = try ModelArgument.readIfGiven(model)
        let summary = try StoreInspector(path: store, busyTimeout: storeOptions.timeout).summary(given: given)
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(StoreListing(summary)))
        case .text: try CommandOutput.writeText(StoreText.text(of: summary))
        }
    }
}
