import ArgumentParser
import GranaryBase
import GranaryModel
import GranaryPersistence

/// `granary store info`: what a store says about itself.
struct StoreInfoCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Tells what a store holds: entities, counts, model hashes, pragmas, history.",
        discussion: """
            No model is needed; with one, abstract entities and differences from the model are told too. The store is not
            changed. A count is of an entity's own objects, without those of its subentities.

            Example:
              granary store info Seed.sqlite --format json
            """)

    @Argument(help: "The store.")
    var store: String

    @Option(help: "text or json.")
    var format = ReportFormat.text

    @Option(help: ArgumentHelp("The store's model; repeat it to merge several.", valueName: "model"))
    var model: [String] = []

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        let schema = model.isEmpty ? nil : try ModelArgument.load(model)
        let summary = try StoreInspector(path: store, busyTimeout: storeOptions.timeout).summary(schema: schema)
        let source = schema == nil ? StoreListing.ModelSource.inferred : .given
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(StoreListing(summary, model: source)))
        case .text: try CommandOutput.write(StoreText.text(of: summary))
        }
    }
}
