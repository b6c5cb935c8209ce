import Foundation
public import GranaryBase

// What can be done to a store's file while nobody has it open.
extension PersistentStoreCoordinator {
    /// What a store says about itself, without its being opened and whatever its model.
    /// (`metadataForPersistentStore(ofType:at:options:)`)
    ///
    /// - Throws: ``GranaryError``: `unreadable` without a file; `refused` when it is no store of that kind; `busy` when
    ///   another process has locked it; `usage` for a store in memory.
    public static func metadataForPersistentStore(
        at location: StoreLocation
    ) throws(GranaryError) -> PersistentStoreMetadata {
        PersistentStoreMetadata(try location.kind.metadata())
    }

    /// Replaces what a store's metadata have of an app's own (``PersistentStoreMetadata/values``), at once and in one
    /// transaction. Core Data's own, and everything else in the file, stay as they are.
    /// (`setMetadata(_:forPersistentStoreOfType:at:options:)`)
    ///
    /// An archive is read with every check, and written anew.
    ///
    /// - Throws: ``GranaryError``: `usage` for a key that begins with `NS`, `_NS`, `_PF`, `PFCloudKit` or `Granary`, and for a store in memory;
    ///   `refused` when it is no store of that kind; `unreadable`, `uncreatable`, `busy`, `inputOutput`.
    public static func setMetadata(
        _ values: [String: PersistentStoreMetadata.Value], forPersistentStoreAt location: StoreLocation
    ) throws(GranaryError) {
        try location.kind.setUserMetadata(try StoreMetadata.userEntries(values))
    }

    /// Removes a store: its file with `-wal`, `-shm` and `-journal`, and the folder with its external data. Where there is
    /// no file, nothing happens, as with Core Data. (`destroyPersistentStore(at:type:options:)`)
    ///
    /// The folder stays where another store beside it has it too (`A.sqlite` and `A.db`).
    ///
    /// - Parameter timeout: how long to wait for another process that uses the store. One that has it open and does
    ///   nothing is seen only in write-ahead mode.
    /// - Throws: ``GranaryError``: `usage` while this coordinator has the store; `refused` for a file that is no store of
    ///   that kind; `busy`; `uncreatable` when it is write-protected; `inputOutput` when something cannot be removed.
    public func destroyPersistentStore(
        at location: StoreLocation, timeout: Duration = .seconds(5)
    ) throws(GranaryError) {
        let isOpen = attachedStores.contains { $0.storeDescription.location.isSameFile(as: location) }
        guard !isOpen else {
            throw GranaryError(
                .usage,
                "\(location.url?.path(percentEncoded: false) ?? ""): remove the store from its coordinator first"
            )
        }
        try location.kind.destroy(timeout: timeout)
    }
}
