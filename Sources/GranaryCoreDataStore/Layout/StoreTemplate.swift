package import GranaryBase
import GranaryCoordination
package import GranaryModel
import GranarySQLite

/// The names of join tables and their columns, and the numbers of entities, in a store that Core Data created for a model.
/// Core Data accepts a new store with the same names. Granary cannot tell which program created the store; one that Granary
/// created only repeats Granary's names.
package struct StoreTemplate: Sendable {
    /// The model, its entities numbered as in the store.
    package let schema: Schema
    let present: PresentTables

    /// Reads the names from a store, which may be empty. Nothing is written.
    ///
    /// - Parameter model: the model that the store was made for.
    /// - Throws: ``GranaryError``: `unreadable` without a file; `refused` when it is no Core Data store, was made for another
    ///   model or is not laid out as the model says; `busy` when another process holds it too long.
    package init(
        path: String, model: ManagedObjectModel, busyTimeout: Duration = .seconds(5)
    ) throws(GranaryError) {
        let found = try StoreModel.read(path: path, given: model, busyTimeout: busyTimeout, allowsPart: false)
        // Whether the store is of the model and has all tables is checked as for every store that is opened.
        let store = try SQLiteStore.open(
            path: path, schema: found.schema, readOnly: true, busyTimeout: busyTimeout,
            comparesHashes: found.comparesHashes, once: true)
        schema = found.schema
        present = try converting { try PresentTables(store.connection, try store.connection.schema()) }
    }
}

extension SQLiteStore {
    /// Says once for a model which join tables Core Data may expect under other names; nil where there are none.
    package static func joinTableWarning(for schema: Schema) -> Diagnostic? {
        let tables = StoreLayoutBuilder.layout(for: schema).unsettledJoinTables
        guard let first = tables.first else { return nil }
        let shown = tables.count == 1 ? first : tables.prefix(5).joined(separator: ", ")
        let more = tables.count > 5 ? " and \(tables.count - 5) more" : ""
        return Diagnostic(
            .storeLayout,
            "Core Data may use other names for the join table\(tables.count == 1 ? "" : "s") \(shown)\(more), or for "
                + "columns of it and of its entities' tables: its rule for such names is not known. To take the names from a "
                + "store that Core Data made for this model, use granary store create --like STORE, or the key like in a plan",
            severity: .warning)
    }
}
