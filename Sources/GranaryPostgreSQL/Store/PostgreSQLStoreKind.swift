import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPropertyLists

/// PostgreSQL stores, for a coordinator.
struct PostgreSQLStoreKind: StoreKind {
    static let fileFormat: StoreFileFormat? = nil
    let text: String
    var url: URL? { nil }

    func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any StoreBackend {
        if description.isReadOnly {
            return try PostgreSQLStores.openOrCreate(
                text, schema: schema, readOnly: true, tracksHistory: false, timeout: description.timeout,
                comparesHashes: !description.ignoresModelVersioning)
        }
        return try AutomaticMigration.open(description) { () throws(GranaryError) in
            try PostgreSQLStores.openOrCreate(
                text, schema: schema, readOnly: false, tracksHistory: description.tracksHistory,
                timeout: description.timeout,
                comparesHashes: !description.ignoresModelVersioning)
        } migrate: { () throws(GranaryError) in
            try PostgreSQLMigration.ofContainer(
                text, to: schema, isPart: description.isPart, timeout: description.timeout)
        }
    }

    func create(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any StoreBackend {
        try PostgreSQLStores.create(
            text, schema: schema, tracksHistory: description.tracksHistory, timeout: description.timeout)
    }

    func metadata() throws(GranaryError) -> StoreMetadata { try PostgreSQLStores.metadata(text) }

    func setUserMetadata(_ entries: [PropertyListEntry]) throws(GranaryError) {
        try PostgreSQLStores.setUserMetadata(entries, text)
    }

    func revert(
        _ run: String?, timeout: Duration, cancellation: Cancellation?
    ) throws(GranaryError) -> RevertedRun {
        try PostgreSQLStores.revert(text, run: run, timeout: timeout, cancellation: cancellation)
    }

    func destroy(timeout: Duration) throws(GranaryError) { try PostgreSQLStores.destroy(text, timeout: timeout) }
}
