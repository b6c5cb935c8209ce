import ArgumentParser
import GranaryImport

/// The options of the commands that write objects to a store. ``ShippingOptions`` follow them in every command.
struct StoreWritingOptions: ParsableArguments {
    @Option(help: "How rows are written: pages is faster, but only for new stores. The stored data is the same.")
    var loader = ImportRunOptions.Loader.standard

    @Flag(help: "Add no entry to the store's ledger of runs.")
    var noLedger = false
}
