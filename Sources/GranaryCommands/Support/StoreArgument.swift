package import GranaryBase
package import GranaryCoreDataStore

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
