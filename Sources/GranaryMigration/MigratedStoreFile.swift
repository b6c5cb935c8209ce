import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryRecords

/// The file of a store to migrate, and what is known of it before its model.
struct MigratedStoreFile {
    let path: String
    let isArchive: Bool
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
        isArchive = StoreFileFormat(fileAt: URL(filePath: path)) == .propertyList
        let metadata: StoreMetadata
        if isArchive {
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
}
