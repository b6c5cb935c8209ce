import ArgumentParser
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryPostgreSQL

/// `granary store revert`: reverts an import.
struct StoreRevertCommand: InterruptibleCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Reverts an import that was run with --revertible.",
        discussion: HelpText.paragraphs(
            """
            The store is then as it was before the run, in every table. If an object of the run has changed since,
            nothing is written. No model is needed; with --model, the command checks that it is the model of the store.

            Example:
              granary store revert Seed.sqlite --run run-3
            """))

    @OptionGroup var input: StoreInput
    private var store: String { input.path }

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp(
            "The run, as store info names it (default: the newest run that can be reverted).", valueName: "id"))
    var runID: String?

    @Option(
        help: ArgumentHelp("The model of the store; repeatable to merge several.", valueName: "model"),
        completion: .file())
    var model: [String] = []

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        if !model.isEmpty {
            _ = try StoreArgument.openForReading(store, models: model, storeOptions)
        }
        let reverted =
            ConnectionText.isConnection(store)
            ? try PostgreSQLStores.revert(
                store, run: runID, timeout: storeOptions.timeout, cancellation: Cancellation.current)
            : try SQLiteStore.revert(
                path: store, run: runID, busyTimeout: storeOptions.timeout, cancellation: Cancellation.current)
        CommandOutput.log(
            "reverted \(reverted.id): \(CountText.count(reverted.removed, "object")) removed, "
                + "\(reverted.restored) restored, \(reverted.broughtBack) recreated; "
                + "\(CountText.count(reverted.links, "link row")) changed")
    }
}
