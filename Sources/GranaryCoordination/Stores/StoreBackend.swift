package import Foundation
package import GranaryBase
package import GranaryModel
package import GranaryPropertyLists

/// Opens a connection to a store for reading, which another thread can use. It is called by one thread at a time.
package typealias StoreReaderFactory = @Sendable () throws -> sending any StoreBackend

/// The interface of every kind of store. Keys (`Z_PK`) are unique within a hierarchy of entities, so a root entity and
/// a key identify an object.
///
/// Not `Sendable`: the coordinator serialises all access.
package protocol StoreBackend: AnyObject {
    var schema: Schema { get }
    /// The store's UUID in upper case, which is the host in the URIs of its objects.
    var identifier: String { get }
    /// What the store can do beyond the requirements of this protocol.
    var capabilities: StoreCapabilities { get }

    /// The folder of the store's file, for temporary files; nil for a store without a file.
    var folder: String? { get }

    /// Whether the store's schema has constraints that the model does not have.
    func mayRefuseRows() throws -> Bool

    /// Reads the objects of `entities` (indexes within one hierarchy) in order of their keys, in batches.
    ///
    /// `body` receives each batch. It may keep copies, or exchange the batch for another one whose memory is used for
    /// the next rows. It returns false to stop.
    func read(entities: Range<Int>, batchSize: Int, _ body: (inout RowBatch) throws -> Bool) throws

    /// Reads at most `limit` objects of `entities` with keys above `key`, in order of their keys.
    func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch

    /// Translates a search for this store; nil if the store has no query language.
    ///
    /// Use ``search(_:batchSize:_:)``, ``count(_:)``, ``keys(_:)`` and ``values(of:_:_:)``, which evaluate in memory
    /// what the store does not.
    func prepare(_ search: StoreSearch) throws -> (any PreparedSearch)?

    /// Reads objects of one hierarchy by key; keys without an object are left out.
    func read(root: Int, keys: [Int64]) throws -> RowBatch

    /// Returns the versions (`Z_OPT`) of objects of one hierarchy by key; keys without an object are left out.
    func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64]

    /// Reads the links of a to-many relationship, ordered by the owner's key, then in the relationship's order, or by
    /// the destination's key if it is unordered.
    ///
    /// - Parameter owners: the keys of the owners; nil for all.
    func readLinks(of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void) throws

    /// Reads the links that ``readLinks(of:owners:_:)`` reads, and also links of a many-to-many that lead to no object.
    /// The entity of such a link is the destination of the relationship. Exports and comparisons need these links,
    /// because they show all that is stored.
    func readStoredLinks(of relationship: Schema.Relationship, owners: [Int64], _ body: (Link) throws -> Void) throws

    /// Reads the links of a to-many relationship that lead from or to no object, ordered by the owner's key, then by
    /// the destination's key.
    func readBrokenLinks(of relationship: Schema.Relationship, _ body: (BrokenLink) throws -> Void) throws

    /// Returns the number of objects whose to-one refers to no object, or to one whose to-one inverse does not refer
    /// back: the inverse alone does not show these references.
    func oneSidedReferences(of relationship: Schema.Relationship) throws -> Int

    /// Returns the number of objects of an entity, without subentities.
    func count(entity: Int) throws -> Int

    /// Returns the keys of the stored objects with the same values as a row in the properties of a uniqueness
    /// constraint.
    ///
    /// The search covers the constraint's entity and its subentities. NULL in any property never matches; a to-one
    /// compares by its reference. The row's own key is included.
    func keys(matching constraint: Schema.UniquenessConstraint, in batch: borrowing RowBatch, row: Int) throws
        -> [Int64]

    /// Returns the last key that was allocated in a hierarchy; 0 if there is none.
    func lastKey(root: Int) throws -> Int64

    /// The number of the last history transaction that was written through this store; nil if there is none.
    var lastRecordedTransaction: Int64? { get }

    /// Sets the author and context name of the next transactions, for the store's history.
    func setAuthor(_ author: String?, contextName: String?)

    /// Runs `body` in one transaction. If `body` throws, all its changes are rolled back.
    func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result

    /// Runs `body` in one transaction and keeps the data to revert it later as the run with this name. The ledger must
    /// not have the name yet. With nil it keeps no data.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if this kind of store cannot revert runs.
    func transaction<Result>(recording run: String?, _ body: (any StoreWriter) throws -> Result) throws -> Result

    /// The imports recorded in the store's metadata.
    var importLedger: ImportLedger { get }

    /// Runs `body` so that all its reads see the same state of the store, even if other processes write meanwhile.
    func reading<Result>(_ body: () throws -> Result) throws -> Result

    /// Keeps the present state of a connection for reading for all its reads, until ``unpin()``.
    func pin() throws

    /// Ends ``pin()``.
    func unpin()

    /// Opens further connections to the published store, which only read; nil if there can be none that read while this
    /// one writes.
    var readerFactory: StoreReaderFactory? { get }

    /// Reports the statements that the store executes; nil to stop.
    func setObserver(_ observer: (any PersistentContainerObserver)?)

    /// Gives an unpublished store its final name; does nothing for a published store.
    ///
    /// - Throws: ``GranaryError``: `uncreatable` if the name is taken; `refused` if the file cannot hold a value;
    ///   `inputOutput`.
    func publish() throws(GranaryError)

    /// Returns the tables with rows of no concrete entity, with the numbers of such rows. No object represents them.
    func strayRows(read: [Int: Int]) throws(GranaryError) -> [(table: String, count: Int64)]

    /// The store's metadata.
    var metadata: StoreMetadata { get }

    /// Replaces the app's entries in the metadata, at once.
    func setUserMetadata(_ entries: [PropertyListEntry]) throws

    /// Returns the number of the last history transaction, 0 if the history is empty; nil if there is no history.
    func lastHistoryTransaction() throws(GranaryError) -> Int64?

    /// Returns some of the transactions after a number, oldest first; none if there are no more.
    ///
    /// - Parameter identity: the store's, for the IDs of the changed objects.
    func historyTransactions(
        after number: Int64, limit: Int, of identity: StoreIdentity
    ) throws(GranaryError) -> [PersistentHistoryTransaction]

    /// Removes the transactions before a number and returns how many were removed.
    @discardableResult
    func deleteHistory(before number: Int64) throws(GranaryError) -> Int

    /// Removes the transactions older than a date and returns how many were removed.
    @discardableResult
    func deleteHistory(before date: Date) throws(GranaryError) -> Int
}
