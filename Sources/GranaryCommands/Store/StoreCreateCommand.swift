import ArgumentParser
import GranaryBase
import GranaryPersistence

/// `granary store create`: an empty store for a model.
struct StoreCreateCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates an empty store, laid out as Core Data lays out its own.",
        discussion: """
            A store that exists is left alone: the exit code is then 73.

            Example:
              granary store create --model Triage.xcdatamodeld --store Seed.sqlite
            """)

    @Option(help: ArgumentHelp("The model; repeat it to merge several.", valueName: "model"))
    var model: [String] = []

    @Option(help: ArgumentHelp("Where the store is made.", valueName: "store"))
    var store: String

    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if model.isEmpty { throw ValidationError("name the model with --model.") }
    }

    func run() throws {
        let schema = try ModelArgument.load(model)
        try SQLiteStore.create(path: store, schema: schema).publish()
        CommandOutput.log(
            SQLiteStore.creationWarnings(for: schema), limit: diagnosticOptions.maxDiagnostics)
    }
}
