package import Foundation
package import GranaryBase
package import GranaryModel
package import GranaryPropertyLists

/// A kind of store: opens, creates and removes its stores. To add a kind, write one folder with a ``StoreBackend``
/// and its `StoreKind`, and a static member of ``StoreLocation`` that returns it.
package protocol StoreKind: Sendable, Hashable {
    /// The store's file; nil for a store without one.
    var url: URL? { get }

    /// The format of its files; nil for a store without a file.
    static var fileFormat: StoreFileFormat? { get }

    /// Opens the store. Creates it if it does not exist and the description is not read-only.
    ///
    /// - Throws: ``GranaryError``: `unreadable`, `uncreatable`, `refused`, `busy`, `inputOutput`.
    func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any StoreBackend

    /// Creates an empty store, under a temporary name until ``StoreBackend/publish()``.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` if the name is taken.
    func create(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any StoreBackend

    /// Reads the metadata of a store that is not open, without its model.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if there is no file; `refused` for a file of another kind; `usage` for
    ///   a store without a file.
    func metadata() throws(GranaryError) -> StoreMetadata

    /// Replaces the app's entries in the metadata of a store that is not open.
    ///
    /// - Throws: ``GranaryError``, as ``metadata()``.
    func setUserMetadata(_ entries: [PropertyListEntry]) throws(GranaryError)

    /// Removes the store and all its files. Does nothing if there is no file.
    func destroy(timeout: Duration) throws(GranaryError)

    /// Reverts a run, without the store's model.
    ///
    /// - Parameter run: the run; nil for the newest run that can be reverted.
    /// - Throws: ``GranaryError``, as ``RevertedRun/revert(_:in:)``.
    func revert(
        _ run: String?, timeout: Duration, cancellation: Cancellation?
    ) throws(GranaryError) -> RevertedRun
}
