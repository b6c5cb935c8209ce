import ArgumentParser
package import GranaryBase
package import GranaryModel
package import GranaryPersistence

/// How a command gets at a store that others may use.
package struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Wait at most this long for a store that is in use.", valueName: "seconds"))
    package var busyTimeout = 5.0

    package init() {}

    package func validate() throws {
        if !(0...86_400).contains(busyTimeout) {
            throw ValidationError("--busy-timeout is a number of seconds from 0 to 86400.")
        }
    }

    package var timeout: Duration { .seconds(busyTimeout) }
}

/// What a user names where a STORE is asked for.
package enum StoreArgument {
    /// Opens a store for reading; its file stays as it is.
    ///
    /// - Throws: ``GranaryError``: `unreadable` without a file, `refused` when it is no Core Data store or was written for
    ///   another model, `busy` when another process holds it too long.
    package static func openForReading(
        _ path: String, schema: Schema, _ options: StoreOptions
    ) throws(GranaryError) -> SQLiteStore {
        try SQLiteStore.open(path: path, schema: schema, readOnly: true, busyTimeout: options.timeout)
    }

    /// What a command says that needs a model and was given none.
    package static func missingModel(_ path: String) -> GranaryError {
        GranaryError(
            .usage, "name the model with --model; reading the model that \(path) carries is not supported yet")
    }
}
