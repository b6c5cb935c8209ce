import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryPostgreSQL
import GranaryRecords

/// A store to migrate, and what is known of it before its model: a file, or a store in a PostgreSQL database.
struct MigratedStoreFile {
    /// The path or the connection string.
    let path: String
    let isArchive: Bool
    let isInDatabase: Bool
    /// The version hashes of its entities.
    let hashes: [String: Data]
    /// The version identifiers of its model.
    let identifiers: [String]
    /// Whether a deferred migration was never finished.
    let isUnfinished: Bool
    /// How long to wait for another process.
    let timeout: Duration
    /// Says that the store is read from a copy, because another process has locked it.
    let copyNote: Diagnostic?

    init(path: String, timeout: Duration) throws(GranaryError) {
        self.path = path
        isInDatabase = ConnectionText.isConnection(path)
        isArchive = !isInDatabase && StoreFileFormat(fileAt: URL(filePath: path)) == .propertyList
        let metadata: StoreMetadata
        if isInDatabase {
            metadata = try PostgreSQLStores.metadata(path, timeout: timeout)
            isUnfinished = false
            self.timeout = timeout
            copyNote = nil
        } else if isArchive {
            metadata = try ArchiveStore.metadata(path: path)
            isUnfinished = false
            self.timeout = timeout
            copyNote = nil
        } else {
            let glance = try StoreGlance(path: path, busyTimeout: timeout)
            metadata = glance.metadata
            isUnfinished = metadata.hasDeferredMigration
            self.timeout = glance.timeout
            copyNote = glance.copyNote
        }
        hashes = metadata.versionHashes
        identifiers = metadata.versionIdentifiers
    }

    /// The store in messages, without passwords.
    var name: String { ConnectionText.displayName(of: path) }
}
