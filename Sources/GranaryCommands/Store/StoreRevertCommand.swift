import ArgumentParser
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection

/// `granary store revert`: takes an import run back.
struct StoreRevertCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Takes an import run back that was made with --revertible.",
        discussion: HelpText.paragraphs(
            """
            The store is then as it was before the run, in every table. It is refused when anything that the run touched
            has changed since. No model is needed; one that is given has to be the store's.

            Example:
              granary store revert Seed.sqlite --run run-3
            """))

    @Argument(help: "The store.", completion: .file())
    var store: String

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp(
            "The run, as store info names it (default: the newest that can be taken back).", valueName: "id"))
    var runID: String?

    @Option(
        help: ArgumentHelp("The store's model; repeat it to merge several.", valueName: "model"), completion: .file())
    var model: [String] = []

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        if !model.isEmpty {
            _ = try StoreArgument.openForReading(store, models: model, storeOptions)
        }
        let interrupt = InterruptWatch()
        defer { interrupt.stop() }
        let reverted = try SQLiteStore.revert(
            path: store, run: runID, busyTimeout: storeOptions.timeout, cancellation: interrupt.cancellation)
        CommandOutput.log(
            "took back \(reverted.id): objects removed \(reverted.removed), restored \(reverted.restored), "
                + "brought back \(reverted.broughtBack); rows of links \(reverted.links)")
    }
}
