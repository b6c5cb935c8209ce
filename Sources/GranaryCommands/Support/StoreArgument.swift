package import GranaryBase
package import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPostgreSQL

/// The value of a STORE argument: the path of an SQLite store, or a connection string of a PostgreSQL store.
package enum StoreArgument {
    /// Opens a store for reading; it is not changed. Warnings are printed to standard error.
    ///
    /// - Parameters:
    ///   - models: empty for the model that the store contains, or else one inferred from the tables of an SQLite store.
    ///   - leavesFiles: whether large values in files beside the store are passed on as files.
    /// - Throws: ``GranaryError``: as ``SQLiteStore/openForReading(path:model:busyTimeout:warnings:)``.
    package static func openForReading(
        _ path: String, models: [String], _ options: StoreOptions, leavesFiles: Bool = false
    ) throws(GranaryError) -> any StoreBackend {
        let given = try ModelArgument.readIfGiven(models)
        if ConnectionText.isConnection(path) {
            return try PostgreSQLStores.openForReading(path, model: given, timeout: options.timeout)
        }
        var warnings: [Diagnostic] = []
        defer { CommandOutput.log(warnings, limit: DiagnosticOptions.defaultLimit) }
        let store = try SQLiteStore.openForReading(
            path: path, model: given, busyTimeout: options.timeout, warnings: &warnings)
        store.leavesFiles = leavesFiles
        return store
    }

    /// Checks a store.
    ///
    /// - Throws: ``GranaryError``, as ``StoreChecker``.
    static func check(
        _ path: String, given: ManagedObjectModel?, _ options: StoreOptions
    ) throws(GranaryError) -> StoreCheckReport {
        guard ConnectionText.isConnection(path) else {
            return try StoreChecker.check(path: path, given: given, busyTimeout: options.timeout)
        }
        return try StoreChecker.check(given: given) { model throws(GranaryError) in
            try PostgreSQLStores.openForReading(path, model: model, timeout: options.timeout)
        }
    }

    /// Whether a path means a store rather than a model.
    static func isStore(_ path: String) -> Bool {
        ConnectionText.isConnection(path) || ManagedObjectModel.isStore(path)
    }

    /// The mode of a file with values of a store: that of the store's file, or the owner's alone for a database.
    static func permissions(_ path: String) -> UInt32 {
        ConnectionText.isConnection(path) ? 0o600 : SQLiteStore.permissions(ofStore: path)
    }

    /// The files of an SQLite store, which no output may replace; none for a PostgreSQL store.
    static func files(_ path: String) -> [String] {
        ConnectionText.isConnection(path) ? [] : SQLiteStore.files(ofStore: path)
    }
}
