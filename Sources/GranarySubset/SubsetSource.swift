import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPostgreSQL

/// The store that a subset is taken from: an SQLite store, or one in a PostgreSQL database.
struct SubsetSource {
    /// The path or the connection string.
    let path: String
    let store: any StoreBackend

    /// - Parameters:
    ///   - model: nil for the model that the store contains.
    ///   - warnings: receives what was noticed at opening.
    /// - Throws: ``GranaryError``: `refused` if the store contains no model; as opening throws.
    init(
        _ path: String, model: ManagedObjectModel?, _ options: SubsetOptions, _ warnings: inout [Diagnostic]
    ) throws(GranaryError) {
        self.path = path
        if ConnectionText.isConnection(path) {
            store = try PostgreSQLStores.openForReading(path, model: model, timeout: options.timeout)
            return
        }
        let file = try SQLiteStore.openForReading(
            path: path, model: model, busyTimeout: options.timeout, warnings: &warnings)
        guard !file.schema.model.isInferred else {
            throw GranaryError(
                .refused, "\(path): the store contains no model, and an inferred model cannot be used for writing",
                help: "--model MODEL")
        }
        store = file
    }

    /// The store in messages, without passwords.
    var name: String { ConnectionText.displayName(of: path) }

    var isFile: Bool { store is SQLiteStore }
}
