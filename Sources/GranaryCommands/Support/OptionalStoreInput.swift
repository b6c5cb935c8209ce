import ArgumentParser

/// A store that a command may need: the first argument, or `--store`.
struct OptionalStoreInput: ParsableArguments {
    @Argument(help: "The store.", completion: .file())
    var store: String?

    @Option(
        name: .customLong("store"),
        help: ArgumentHelp("The store, in place of the argument.", valueName: "store"), completion: .file())
    var option: String?

    /// The path of the store; empty for none.
    var path: String { option ?? store ?? "" }

    func validate() throws {
        if let store, option != nil {
            throw ValidationError("the store is given twice, as the argument '\(store)' and with --store.")
        }
    }
}
