package import Foundation
package import GranaryBase
package import GranaryCoordination
package import GranaryModel
import GranaryPropertyLists

/// Opens, creates and removes PostgreSQL stores by their connection strings (``ConnectionText``). Without the package's
/// trait `PostgreSQL`, each function throws an error that says how to build with it.
package enum PostgreSQLStores {
    /// Whether there is a store.
    ///
    /// - Throws: ``GranaryError``: `usage` for a malformed connection string; `unreadable` without a connection. The
    ///   other functions throw these errors, too.
    package static func exists(_ text: String, timeout: Duration = .seconds(5)) throws(GranaryError) -> Bool {
        #if PostgreSQL
            let place = try StorePlace(text, timeout: timeout)
            return try converting { try place.hasStore() }
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// Opens a store for reading.
    ///
    /// - Parameter model: nil for the model in the store.
    /// - Throws: ``GranaryError``: `unreadable` if there is no store; `refused` if it was written for another model.
    package static func openForReading(
        _ text: String, model: ManagedObjectModel?, timeout: Duration = .seconds(5)
    ) throws(GranaryError) -> any StoreBackend {
        #if PostgreSQL
            return try StorePlace(text, timeout: timeout).open(schema: try model?.resolved(), readOnly: true)
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// Opens a store for writing.
    ///
    /// - Throws: ``GranaryError``, as ``openForReading(_:model:timeout:)``.
    package static func openForWriting(
        _ text: String, schema: Schema, timeout: Duration = .seconds(5)
    ) throws(GranaryError) -> any StoreBackend {
        #if PostgreSQL
            return try StorePlace(text, timeout: timeout).open(schema: schema)
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// Opens a store, or creates an empty one if there is none.
    static func openOrCreate(
        _ text: String, schema: Schema, readOnly: Bool, tracksHistory: Bool, timeout: Duration, comparesHashes: Bool
    ) throws(GranaryError) -> sending any StoreBackend {
        #if PostgreSQL
            return try StorePlace(text, timeout: timeout).openOrCreate(
                schema: schema, readOnly: readOnly, tracksHistory: tracksHistory, comparesHashes: comparesHashes)
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// Creates an empty store in a transaction that ``StoreBackend/publish()`` commits.
    ///
    /// - Parameters:
    ///   - identifier: the UUID of the store; nil for a new one.
    ///   - tracksHistory: whether the store gets a persistent history.
    /// - Throws: ``GranaryError`` with code `uncreatable` if there is a store, or another table with one of its names.
    package static func create(
        _ text: String, schema: Schema, identifier: UUID? = nil, tracksHistory: Bool = false,
        timeout: Duration = .seconds(5)
    ) throws(GranaryError) -> sending any StoreBackend {
        #if PostgreSQL
            return try StorePlace(text, timeout: timeout).create(
                schema: schema, identifier: identifier, tracksHistory: tracksHistory)
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// Warnings about a new store of a model: derived attributes that are not computed.
    package static func creationWarnings(for schema: Schema) -> [Diagnostic] {
        #if PostgreSQL
            // A model without a layout has no store.
            guard let layout = try? StoreLayoutBuilder.layout(for: schema, namespace: "") else { return [] }
            return DerivedPlan(schema: schema, layout: layout).warnings(until: nil)
        #else
            return []
        #endif
    }

    /// How the tables of a store would be distributed over the nodes of Citus, as SQL for psql.
    ///
    /// - Parameter engine: nil to ask the server.
    /// - Returns: nil for other engines.
    package static func distributionPlan(
        _ text: String, schema: Schema, engine: ServerEngine?, timeout: Duration = .seconds(5)
    ) throws(GranaryError) -> String? {
        #if PostgreSQL
            let place = try StorePlace(text, timeout: timeout)
            let found = try converting { try engine ?? place.connection.engine() }
            guard found == .citus else { return nil }
            let layout = try StoreLayoutBuilder.layout(for: schema, namespace: place.namespace)
            let names = try converting { try CitusNames(place.connection, layout) }
            return CitusPlan(layout, schema).text(schema, names)
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// The model of a store that will be written: the given one, or the one in the store.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if there is no store and no model is given.
    package static func schemaForWriting(
        _ text: String, model: ManagedObjectModel?, timeout: Duration = .seconds(5)
    ) throws(GranaryError) -> Schema {
        if let model { return try model.resolved() }
        #if PostgreSQL
            let place = try StorePlace(text, timeout: timeout)
            guard try converting({ try place.hasStore() }) else {
                throw GranaryError(.usage, "a model is needed: \(ConnectionText.displayName(of: text)) does not exist")
            }
            return try place.storedModel().resolved()
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// The model in a store.
    package static func model(_ text: String, timeout: Duration = .seconds(5)) throws(GranaryError)
        -> ManagedObjectModel
    {
        #if PostgreSQL
            return try StorePlace(text, timeout: timeout).storedModel()
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// The name of the PostgreSQL schema with the tables.
    package static func schemaName(_ text: String, timeout: Duration = .seconds(5)) throws(GranaryError) -> String {
        #if PostgreSQL
            return try StorePlace(text, timeout: timeout).namespace
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// The metadata of a store.
    package static func metadata(_ text: String, timeout: Duration = .seconds(5)) throws(GranaryError) -> StoreMetadata
    {
        #if PostgreSQL
            let place = try StorePlace(text, timeout: timeout)
            return try place.row().metadata(place.source)
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// Replaces the app's entries in the metadata of a store.
    static func setUserMetadata(_ entries: [PropertyListEntry], _ text: String) throws(GranaryError) {
        #if PostgreSQL
            let store = try StorePlace(text, timeout: .seconds(5)).open(schema: nil)
            try converting { try store.setUserMetadata(entries) }
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }

    /// Drops the tables of a store. Does nothing if there is none.
    package static func destroy(_ text: String, timeout: Duration = .seconds(5)) throws(GranaryError) {
        #if PostgreSQL
            try StorePlace(text, timeout: timeout).destroy()
        #else
            throw PostgreSQLSupport.notIncluded()
        #endif
    }
}
