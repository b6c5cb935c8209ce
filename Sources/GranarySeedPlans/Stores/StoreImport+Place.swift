import Foundation
package import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPostgreSQL

/// The store of an import: a file, or the tables of a PostgreSQL database.
extension StoreImport {
    /// Whether ``store`` is a connection string of PostgreSQL.
    package var isInDatabase: Bool { ConnectionText.isConnection(store) }

    /// The store in messages, without passwords.
    package var storeName: String { ConnectionText.displayName(of: store) }

    /// Whether there is a store already.
    package func storeExists() throws(GranaryError) -> Bool {
        isInDatabase
            ? try PostgreSQLStores.exists(store, timeout: timeout) : FileManager.default.fileExists(atPath: store)
    }

    func schemaForWriting(
        _ model: ManagedObjectModel?, warnings: inout [Diagnostic]
    ) throws(GranaryError) -> Schema {
        isInDatabase
            ? try PostgreSQLStores.schemaForWriting(store, model: model, timeout: timeout)
            : try SQLiteStore.schemaForWriting(path: store, model: model, busyTimeout: timeout, warnings: &warnings)
    }

    func create(_ schema: Schema, like template: StoreTemplate?) throws(GranaryError) -> any StoreBackend {
        isInDatabase
            ? try PostgreSQLStores.create(store, schema: schema, identifier: identifier, timeout: timeout)
            : try SQLiteStore.create(
                path: store, schema: schema, busyTimeout: timeout, identifier: identifier, like: template)
    }

    func open(_ schema: Schema) throws(GranaryError) -> any StoreBackend {
        isInDatabase
            ? try PostgreSQLStores.openForWriting(store, schema: schema, timeout: timeout)
            : try SQLiteStore.openForWriting(path: store, schema: schema, busyTimeout: timeout)
    }

    /// Refuses what only a file can be used for.
    ///
    /// - Throws: ``GranaryError`` with code `usage`.
    func checkPlace() throws(GranaryError) {
        guard isInDatabase else { return }
        let reason =
            ships ? "cannot be shipped" : like != nil ? "does not take the names of another store" : nil
        if let reason { throw GranaryError(.usage, "\(storeName): a PostgreSQL store \(reason)") }
    }

    /// Warnings about a new store of a model.
    package static func creationWarnings(_ target: StoreTarget) -> [Diagnostic] {
        target.plan.isInDatabase
            ? PostgreSQLStores.creationWarnings(for: target.schema)
            : SQLiteStore.creationWarnings(for: target.schema, isLikeAnother: target.template != nil)
    }
}
