import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPostgreSQL

/// The new store of a subset: an SQLite store, or one in a PostgreSQL database.
struct SubsetOutput {
    /// The path or the connection string.
    let path: String
    let options: SubsetOptions

    /// The store in messages, without passwords.
    var name: String { ConnectionText.displayName(of: path) }

    private var isFile: Bool { !ConnectionText.isConnection(path) }

    /// Checks that the store can be created, before something is read.
    ///
    /// - Parameter source: the path or the connection string of the source.
    /// - Throws: ``GranaryError``: `usage` for options that only a file can have; `uncreatable` if it exists.
    func check(against source: String) throws(GranaryError) {
        guard !isFile else {
            let file = ConnectionText.isConnection(source) ? nil : source
            return try SQLiteStore.checkOutput(path, of: file, replacing: options.replacesOutput)
        }
        guard !options.ships, !options.inlinesExternalData else {
            throw GranaryError(.usage, "\(name): a PostgreSQL store cannot be shipped")
        }
        guard try !PostgreSQLStores.exists(path, timeout: options.timeout) else {
            throw GranaryError(
                .uncreatable,
                "\(name): already has a store; use another schema (?schema=NAME)\(Self.forceNote(options))")
        }
    }

    private static func forceNote(_ options: SubsetOptions) -> String {
        options.replacesOutput ? "; a PostgreSQL store is not replaced" : ""
    }

    /// Creates the store, empty, for the source's model.
    func create(like source: SubsetSource, _ warnings: inout [Diagnostic]) throws(GranaryError) -> any StoreBackend {
        let schema = source.store.schema
        guard isFile else {
            warnings += PostgreSQLStores.creationWarnings(for: schema)
            return try PostgreSQLStores.create(
                path, schema: schema, identifier: options.identifier, timeout: options.timeout)
        }
        let names = template(source, schema)
        warnings += SQLiteStore.creationWarnings(for: schema, isLikeAnother: names != nil)
        let store = try SQLiteStore.create(
            path: path, schema: schema, busyTimeout: options.timeout, identifier: options.identifier,
            like: names, permissions: source.isFile ? SQLiteStore.permissions(ofStore: source.path) : 0o600,
            replacing: options.replacesOutput)
        // The values of external files go from folder to folder.
        if let file = source.store as? SQLiteStore { (file.leavesFiles, store.leavesFiles) = (true, true) }
        return store
    }

    /// The names of the source's join tables, if its entities have the same numbers in both models.
    private func template(_ source: SubsetSource, _ schema: Schema) -> StoreTemplate? {
        guard source.isFile,
            let template = try? StoreTemplate(path: source.path, model: schema.model, busyTimeout: options.timeout),
            template.schema.entities.map(\.name) == schema.entities.map(\.name)
        else { return nil }
        return template
    }
}
