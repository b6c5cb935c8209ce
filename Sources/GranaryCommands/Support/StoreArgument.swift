import ArgumentParser
package import GranaryBase
package import GranaryCoreDataStore

/// The options on opening a store.
package struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Wait at most this long for a store that is in use.", valueName: "seconds"))
    package var busyTimeout = 5.0

    package init() {}

    package func validate() throws {
        if !(0...86_400).contains(busyTimeout) {
            throw ValidationError("--busy-timeout must be a number of seconds from 0 to 86400.")
        }
    }

    package var timeout: Duration { .seconds(busyTimeout) }
}

/// The value of a STORE argument.
package enum StoreArgument {
    /// Opens a store for reading; its file is not changed. Warnings are printed to standard error.
    ///
    /// - Parameter models: empty for the model that the store contains, or else one inferred from its tables.
    /// - Throws: ``GranaryError``: as ``SQLiteStore/openForReading(path:model:busyTimeout:warnings:)``.
    package static func openForReading(
        _ path: String, models: [String], _ options: StoreOptions
    ) throws(GranaryError) -> SQLiteStore {
        let given = try ModelArgument.readIfGiven(models)
        var warnings: [Diagnostic] = []
        defer { CommandOutput.log(warnings, limit: DiagnosticOptions.defaultLimit) }
        return try SQLiteStore.openForReading(
            path: path, model: given, busyTimeout: options.timeout, warnings: &warnings)
    }
}
