import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel

/// Opens and makes the store of a description. With ``StoreAdministration`` the one place that knows the kinds of stores.
enum StoreOpening {
    static func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any PersistentStore {
        switch description.location.kind {
        case .inMemory: return InMemoryStore(schema: schema)
        case .sqlite(let url):
            let path = url.path(percentEncoded: false)
            if description.isReadOnly {
                return try SQLiteStore.open(
                    path: path, schema: schema, readOnly: true, busyTimeout: description.timeout,
                    comparesHashes: !description.ignoresModelVersioning)
            }
            return try SQLiteStore.openOrCreate(
                path: path, schema: schema, tracksHistory: description.tracksHistory, busyTimeout: description.timeout,
                comparesHashes: !description.ignoresModelVersioning)
        case .archive(let url, let encoding):
            return try ArchiveStore.openOrCreate(
                path: url.path(percentEncoded: false), schema: schema, encoding: encoding == .xml ? .xml : .binary,
                readOnly: description.isReadOnly)
        }
    }

    /// Makes an empty store, which has its name only when it is published.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` when there is something of its name.
    static func create(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any PersistentStore {
        switch description.location.kind {
        case .inMemory: return InMemoryStore(schema: schema)
        case .sqlite(let url):
            return try SQLiteStore.create(
                path: url.path(percentEncoded: false), schema: schema, tracksHistory: description.tracksHistory,
                busyTimeout: description.timeout)
        case .archive(let url, let encoding):
            return try ArchiveStore.create(
                path: url.path(percentEncoded: false), schema: schema, encoding: encoding == .xml ? .xml : .binary)
        }
    }
}
