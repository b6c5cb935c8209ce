public import Foundation
import GranaryBase
public import GranaryCoordination
import GranaryModel
import GranaryPropertyLists

extension StoreLocation {
    /// A store in an SQLite file in Core Data's layout. The file is created if it does not exist. (`NSSQLiteStoreType`)
    public static func sqlite(_ url: URL) -> Self { Self(SQLiteStoreKind(file: url)) }
}

private struct SQLiteStoreKind: StoreKind {
    static let fileFormat: StoreFileFormat? = .sqlite
    let file: URL

    var url: URL? { file }
    private var path: String { file.path(percentEncoded: false) }

    func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any StoreBackend {
        if description.isReadOnly {
            return try SQLiteStore.open(
                path: path, schema: schema, readOnly: true, busyTimeout: description.timeout,
                comparesHashes: !description.ignoresModelVersioning)
        }
        let store = try AutomaticMigration.open(description) { () throws(GranaryError) in
            try SQLiteStore.openOrCreate(
                path: path, schema: schema, tracksHistory: description.tracksHistory, busyTimeout: description.timeout,
                comparesHashes: !description.ignoresModelVersioning)
        } migrate: { () throws(GranaryError) in
            try SQLiteMigration.ofContainer(
                path: path, to: schema, isPart: description.isPart, busyTimeout: description.timeout)
        }
        try store.setJournal(description.journalMode, description.synchronous)
        return store
    }

    func create(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any StoreBackend {
        let store = try SQLiteStore.create(
            path: path, schema: schema, tracksHistory: description.tracksHistory, busyTimeout: description.timeout)
        try store.setJournal(description.journalMode, description.synchronous)
        return store
    }

    func metadata() throws(GranaryError) -> StoreMetadata { try SQLiteStore.metadata(path: path) }

    func setUserMetadata(_ entries: [PropertyListEntry]) throws(GranaryError) {
        try SQLiteStore.setUserMetadata(entries, path: path)
    }

    func destroy(timeout: Duration) throws(GranaryError) {
        try SQLiteStore.destroy(path: path, busyTimeout: timeout)
    }

    func revert(
        _ run: String?, timeout: Duration, cancellation: Cancellation?
    ) throws(GranaryError) -> RevertedRun {
        try SQLiteStore.revert(path: path, run: run, busyTimeout: timeout, cancellation: cancellation)
    }
}
