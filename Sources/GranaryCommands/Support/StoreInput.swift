import ArgumentParser

/// The store of a command that reads one: the first argument, or `--store`.
struct StoreInput: ParsableArguments {
    @Argument(help: "The store.", completion: .file())
    var store: String?

    @Option(
        name: .customLong("store"),
        help: ArgumentHelp("The store, in place of the argument.", valueName: "store"), completion: .file())
    var option: String?

    /// The path of the store.
    var path: String { option ?? store ?? "" }

    func validate() throws {
        if let store, option != nil {
            throw ValidationError("the store is given twice, as the argument '\(store)' and with --store.")
        }
        if store == nil, option == nil { throw ValidationError("the store is missing; write it after the command.") }
    }
}
