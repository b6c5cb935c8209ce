import Foundation
public import GranaryBase

// Operations on the files of stores that are not open.
extension PersistentStoreCoordinator {
    /// Returns a store's metadata without opening the store or knowing its model.
    /// (`metadataForPersistentStore(ofType:at:options:)`)
    ///
    /// - Throws: ``GranaryError``: `unreadable` if there is no file; `refused` if it is not a store of that kind;
    ///   `busy` if another process has locked it; `usage` for a store in memory.
    public static func metadataForPersistentStore(
        at location: StoreLocation
    ) throws(GranaryError) -> PersistentStoreMetadata {
        PersistentStoreMetadata(try location.kind.metadata())
    }

    /// Replaces the app's values in a store's metadata (``PersistentStoreMetadata/values``) in one transaction, at
    /// once. Core Data's own entries and the rest of the file do not change.
    /// (`setMetadata(_:forPersistentStoreOfType:at:options:)`)
    ///
    /// An archive is read, checked and written anew.
    ///
    /// - Throws: ``GranaryError``: `usage` if a key begins with `NS`, `_NS`, `_PF`, `PFCloudKit` or `Granary`, and for
    ///   a store in memory; `refused` if it is not a store of that kind; `unreadable`, `uncreatable`, `busy`,
    ///   `inputOutput`.
    public static func setMetadata(
        _ values: [String: PersistentStoreMetadata.Value], forPersistentStoreAt location: StoreLocation
    ) throws(GranaryError) {
        try location.kind.setUserMetadata(try StoreMetadata.userEntries(values))
    }

    /// Removes a store: its file, the `-wal`, `-shm` and `-journal` files, and the folder of its external data. Does
    /// nothing if there is no file, like Core Data. (`destroyPersistentStore(at:type:options:)`)
    ///
    /// The folder is kept if another store beside it uses it too (`A.sqlite` and `A.db`).
    ///
    /// - Parameter timeout: how long to wait for another process that uses the store. An idle process that has the
    ///   store open is detected only in write-ahead mode.
    /// - Throws: ``GranaryError``: `usage` while the store is open in this coordinator; `refused` if the file is not a
    ///   store of that kind; `busy`; `uncreatable` if it is write-protected; `inputOutput` if a file cannot be removed.
    public func destroyPersistentStore(
        at location: StoreLocation, timeout: Duration = .seconds(5)
    ) throws(GranaryError) {
        let isOpen = persistentStores.contains { $0.storeDescription.location.isSameFile(as: location) }
        guard !isOpen else {
            throw GranaryError(
                .usage,
                "\(location.url?.path(percentEncoded: false) ?? ""): remove the store from its coordinator first"
            )
        }
        try location.kind.destroy(timeout: timeout)
    }
}
