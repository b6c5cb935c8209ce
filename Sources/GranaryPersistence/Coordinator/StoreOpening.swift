import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel

/// Opens and makes the store of a description. With ``StoreAdministration`` the one place that knows the kinds of stores.
enum StoreOpening {
    /// - Throws: ``GranaryError``; its ``GranaryError/coreDataCode`` is 134010 (NSPersistentStoreInvalidTypeError) when the
    ///   file is a store of another type.
    static func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any PersistentStore {
        do {
            return try openAsDescribed(description, schema: schema)
        } catch {
            guard isOfAnotherType(description.location) else { throw error }
            var error = error
            error.specificCode = 134_010
            throw error
        }
    }

    /// Whether the file begins as a store of another type does.
    private static func isOfAnotherType(_ location: StoreLocation) -> Bool {
        let (url, isSQLite): (URL, Bool)
        switch location.kind {
        case .inMemory: return false
        case .sqlite(let file): (url, isSQLite) = (file, true)
        case .archive(let file, _): (url, isSQLite) = (file, false)
        }
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 16) else { return false }
        if !isSQLite { return start == Data("SQLite format 3\0".utf8) }
        return start.starts(with: Data("bplist".utf8)) || start.starts(with: Data("<?xml".utf8))
    }

    private static func openAsDescribed(
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
                path: url.path(percentEncoded: false), schema: schema, encoding: encoding,
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
                path: url.path(percentEncoded: false), schema: schema, encoding: encoding)
        }
    }
}
