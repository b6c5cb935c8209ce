import ArgumentParser

/// The store of a command that reads one: the first argument, or `--store`.
struct StoreInput: ParsableArguments {
    @OptionGroup private var given: OptionalStoreInput

    /// The path of the store.
    var path: String { given.path }

    func validate() throws {
        if given.store == nil, given.option == nil {
            throw ValidationError("the store is missing; write it after the command.")
        }
    }
}
