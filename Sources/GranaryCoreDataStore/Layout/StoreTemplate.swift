package import GranaryBase
import GranaryCoordination
package import GranaryModel
import GranarySQLite

/// The names of join tables and their columns, and the numbers of entities, from a store that Core Data created for a
/// model.
///
/// Core Data accepts a new store with the same names. Granary cannot detect which program created the store. A store
/// that Granary created has Granary's names.
package struct StoreTemplate: Sendable {
    /// The model, with the entities numbered as in the store.
    package let schema: Schema
    let present: PresentTables

    /// Reads the names from a store, which may be empty. The store is not changed.
    ///
    /// - Parameter model: the model of the store.
    /// - Throws: ``GranaryError``: `unreadable` if the file does not exist; `refused` if it is not a Core Data store,
    ///   was written for another model, or its tables do not match the model; `busy` if another process holds it too
    ///   long.
    package init(
        path: String, model: ManagedObjectModel, busyTimeout: Duration = .seconds(5)
    ) throws(GranaryError) {
        let found = try StoreModel.read(path: path, given: model, busyTimeout: busyTimeout, allowsPart: false)
        // Opening the store checks the model and the tables.
        let store = try SQLiteStore.open(
            path: path, schema: found.schema, readOnly: true, busyTimeout: busyTimeout,
            comparesHashes: found.comparesHashes, once: true)
        schema = found.schema
        present = try converting { try PresentTables(store.connection, try store.connection.schema()) }
    }
}

extension SQLiteStore {
    /// A warning about the join tables that may have other names in Core Data; nil if there are none.
    package static func joinTableWarning(for schema: Schema) -> Diagnostic? {
        let tables = StoreLayoutBuilder.layout(for: schema).unconfirmedJoinTables
        guard let first = tables.first else { return nil }
        let shown = tables.count == 1 ? first : tables.prefix(5).joined(separator: ", ")
        let more = tables.count > 5 ? " and \(tables.count - 5) more" : ""
        return Diagnostic(
            .storeLayout,
            "Core Data may use other names for the join table\(tables.count == 1 ? "" : "s") \(shown)\(more), or for "
                + "columns of it and of its entities' tables: its rule for such names is not known. A new store can take the "
                + "names from a store that Core Data created for this model",
            severity: .warning, help: "granary store create --like STORE")
    }
}
