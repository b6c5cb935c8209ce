package import Foundation
package import GranaryBase
package import GranaryModel
package import GranaryPropertyLists

/// The interface of every kind of store. Keys (`Z_PK`) are unique within a hierarchy of entities, so a root entity and
/// a key identify an object.
///
/// Not `Sendable`: the coordinator serialises all access.
package protocol PersistentStore: AnyObject {
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

    /// Reads links as ``readLinks(of:owners:_:)``, and those of a many-to-many that lead to no object. Their entity is the
    /// destination of the relationship. Exports and comparisons show what is stored.
    func readStoredLinks(of relationship: Schema.Relationship, owners: [Int64], _ body: (Link) throws -> Void) throws

    /// Reads the links of a to-many relationship that lead from or to no object, ordered by the owner's key, then by the
    /// destination's.
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

/// How a transaction ends, and its result.
package enum TransactionEnd<Result> {
    case commit(Result)
    case rollBack(Result)
}

/// What a kind of store can do. The conformance suite tests that each store has exactly the capabilities that it
/// states; the calls of a missing capability do nothing or throw, as their descriptions say.
///
/// Every store has transactions and answers searches (``PersistentStore/search(_:batchSize:_:)``).
package struct StoreCapabilities: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A Decimal is stored with all its 38 digits, not as a double.
    package static let exactDecimals = Self(rawValue: 1 << 0)
    /// The store can record its transactions in a persistent history.
    package static let history = Self(rawValue: 1 << 1)
    /// A transaction can be recorded as a run and reverted.
    package static let revertibleRuns = Self(rawValue: 1 << 2)
    /// A new store can be loaded page by page (``RowLoader/pages``).
    package static let pageLoading = Self(rawValue: 1 << 3)
    /// The app's own metadata can be replaced.
    package static let userMetadata = Self(rawValue: 1 << 4)
    /// A row can name a file whose content is the value (``StoredCell/file``). The store copies it piece by piece into a
    /// column with external storage.
    package static let fileCells = Self(rawValue: 1 << 5)
}

/// One link of a to-many relationship.
package struct Link: Sendable, Hashable {
    package var owner: Int64
    /// The index of the destination's concrete entity, and its key.
    package var entity: Int
    package var destination: Int64

    package init(owner: Int64, entity: Int, destination: Int64) {
        self.owner = owner
        self.entity = entity
        self.destination = destination
    }
}

/// A link whose owner or destination does not exist.
package struct BrokenLink: Sendable, Hashable {
    package let owner: Int64
    package let destination: Int64
    package let lacksOwner: Bool
    package let lacksDestination: Bool

    package init(owner: Int64, destination: Int64, lacksOwner: Bool, lacksDestination: Bool) {
        self.owner = owner
        self.destination = destination
        self.lacksOwner = lacksOwner
        self.lacksDestination = lacksDestination
    }
}

/// How rows are inserted into a store.
package enum RowLoader: String, Sendable, Hashable {
    /// Builds the pages of tables without SQL; only for new stores.
    case pages
    case sql
}

/// Writes to a store inside a transaction. Saves of contexts and bulk imports both use it.
package protocol StoreWriter: AnyObject {
    /// Allocates `count` consecutive keys for objects of the hierarchy of `root` and returns the first. Keys are never
    /// reused.
    func reserveKeys(root: Int, count: Int) throws -> Int64
    /// Ensures that keys up to `key` are not allocated, for rows that have keys already.
    func reserveKeys(root: Int, through key: Int64) throws
    /// Returns a number that changes when another connection changes the store.
    func storeVersion() throws -> Int64
    /// Returns the current import ledger, including runs of other connections.
    func importLedger() throws -> ImportLedger
    /// The number of rows inserted and updated so far. If a batch is rejected, this identifies the rejected row; the
    /// rows before it are written.
    var writtenRows: Int { get }
    /// Inserts rows. To-one references may point to rows that are inserted later in the transaction.
    func insert(_ batch: borrowing RowBatch) throws
    /// Writes all cells of existing rows, with the version in the header.
    func update(_ batch: borrowing RowBatch) throws
    /// Increments the versions of rows by one without changing other columns; keys without a row are skipped.
    func raiseVersions(root: Int, keys: [Int64]) throws
    /// Deletes rows and the links that are not stored in rows: links in join tables at both ends, and links of to-many
    /// relationships without an inverse. The caller updates references in other rows.
    func delete(entity: Int, keys: [Int64]) throws
    /// Sets a to-one reference of a row without changing its version: the second phase of an import. Nil removes it.
    func setReference(_ relationship: Schema.Relationship, owner: Int64, entity: Int, destination: Int64?) throws
    /// Replaces all links of a to-many relationship of one object, in order. If the inverse is to-one, its reference is
    /// set, and cleared in objects that are no longer linked.
    func setLinks(_ relationship: Schema.Relationship, owner: Int64, ownerEntity: Int, to destinations: [Link]) throws
    /// Sets how rows are inserted; nil means page by page if possible, otherwise by SQL. The default is SQL.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if rows cannot be inserted as pages.
    func use(_ loader: RowLoader?) throws
    /// Encodes rows on other threads before they are inserted; nil if this writer does not use encoded rows.
    var rowEncoder: (any RowEncoder)? { get }
    /// The loaders used so far.
    var usedLoaders: Set<RowLoader> { get }
    /// Allows the writer to drop the indexes of tables that get many rows, until ``completeIndexes()``.
    func deferIndexes()
    /// Announces about how many rows will still be inserted, for ``deferIndexes()``.
    func expect(rows: Int)
    /// Creates the dropped indexes again.
    func completeIndexes() throws
    /// Keeps the given values of attributes with a trigger key until ``resumeCounts()``: the triggers would replace them.
    func suspendCounts() throws
    /// Restores the triggers of ``suspendCounts()``. Call when all rows and links are written.
    func resumeCounts() throws
    /// Completes deferred work, such as building indexes, after the last row is inserted.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if rows violate a unique index.
    func finishRows() throws
    /// Appends the members of ordered relationships that have no order key yet, in order of their keys.
    func completeOrder() throws
    /// Adds a run to the ledger in this transaction. It does nothing if the store keeps no ledger, or if the ledger's
    /// key holds something else (``ImportLedger/problem``).
    func recordRun(_ run: ImportRun) throws
}
