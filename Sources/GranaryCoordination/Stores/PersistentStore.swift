package import Foundation
package import GranaryBase
package import GranaryModel
package import GranaryPropertyLists

/// What every kind of store does. Keys (`Z_PK`) are unique over a hierarchy of entities, so a root entity and a key
/// name an object.
///
/// Not `Sendable`: the coordinator serialises all access.
package protocol PersistentStore: AnyObject {
    var schema: Schema { get }
    /// The store's own UUID, upper case: the host of its objects' URIs.
    var identifier: String { get }
    /// Whether a Decimal comes back with all its 38 digits, or as the double that a column keeps.
    var keepsExactDecimals: Bool { get }

    /// The folder of the store's file, for temporary files; nil for a store without a file.
    var folder: String? { get }

    /// Whether the store's schema has constraints that the model does not have.
    func mayRefuseRows() throws -> Bool

    /// Reads the objects of `entities` (indexes within one hierarchy) in order of their keys, in batches.
    ///
    /// `body` gets each batch and may keep what it copies. It returns false to stop.
    func read(entities: Range<Int>, batchSize: Int, _ body: (borrowing RowBatch) throws -> Bool) throws

    /// Reads the objects of `entities` with keys above `key`, `limit` of them at most, in order of their keys.
    func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch

    /// Reads single objects of one hierarchy; a key without an object is left out.
    func read(root: Int, keys: [Int64]) throws -> RowBatch

    /// The versions (`Z_OPT`) of single objects of one hierarchy, by their keys; a key without an object is left out.
    func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64]

    /// Reads the links of a to-many relationship, ordered by the owner's key, then in the relationship's order (by the
    /// destination's key where it has none).
    ///
    /// - Parameter owners: only those of these keys; nil for all.
    func readLinks(of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void) throws

    /// How many objects the entity has, its subentities' not counted.
    func count(entity: Int) throws -> Int

    /// The keys of the stored objects whose values in a uniqueness constraint's properties equal those of a row.
    ///
    /// Looked for among the constraint's entity and its subentities. NULL in any property conflicts with nothing; a
    /// to-one compares by its reference. The row's own key is not left out.
    func keys(matching constraint: Schema.UniquenessConstraint, in batch: borrowing RowBatch, row: Int) throws
        -> [Int64]

    /// The last key that was given out in a hierarchy; 0 for none.
    func lastKey(root: Int) throws -> Int64

    /// The number of the last transaction of the history that was written through this store; nil for none.
    var lastRecordedTransaction: Int64? { get }

    /// Who makes the changes of the next transactions, for the store's history.
    func setAuthor(_ author: String?, contextName: String?)

    /// Runs `body` in one transaction: all that it writes is kept, or, when it throws, nothing.
    func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result

    /// The same, and keeps what is needed to take the transaction back later under the name of a run, which no run of the
    /// ledger may have yet. Nil: nothing is kept.
    ///
    /// - Throws: also ``GranaryError`` with code `usage` where this kind of store cannot.
    func transaction<Result>(recording run: String?, _ body: (any StoreWriter) throws -> Result) throws -> Result

    /// The imports that the store's metadata tell of.
    var importLedger: ImportLedger { get }

    /// Runs `body` so that all its reads see the store in one state, whatever other processes write meanwhile.
    func reading<Result>(_ body: () throws -> Result) throws -> Result

    /// Gives a store in the making its name; does nothing for any other.
    ///
    /// - Throws: ``GranaryError``: `uncreatable` when there is something of that name; `refused` for what the file cannot
    ///   hold; `inputOutput`.
    func publish() throws(GranaryError)

    /// The tables with rows that belong to no concrete entity, and how many: no object represents them.
    func strayRows() throws(GranaryError) -> [(table: String, count: Int64)]

    /// What the store says about itself.
    var metadata: StoreMetadata { get }

    /// Replaces what the metadata have of an app's own, at once.
    func setUserMetadata(_ entries: [PropertyListEntry]) throws

    /// The number of the last transaction of the history, 0 where there is none yet; nil without a history.
    func lastHistoryTransaction() throws(GranaryError) -> Int64?

    /// Some of the transactions after one, oldest first; none when there are no more.
    func historyTransactions(after number: Int64, limit: Int) throws(GranaryError) -> [StoredHistoryTransaction]

    /// Removes the transactions before one, and says how many.
    @discardableResult
    func deleteHistory(before number: Int64) throws(GranaryError) -> Int

    /// Removes the transactions that are older than a date, and says how many.
    @discardableResult
    func deleteHistory(before date: Date) throws(GranaryError) -> Int
}

/// One link of a to-many relationship.
package struct Link: Sendable, Hashable {
    package var owner: Int64
    /// The destination's concrete entity, as an index, and key.
    package var entity: Int
    package var destination: Int64

    package init(owner: Int64, entity: Int, destination: Int64) {
        self.owner = owner
        self.entity = entity
        self.destination = destination
    }
}

/// How rows get into a store.
package enum RowLoader: String, Sendable, Hashable {
    /// The pages of tables are built without SQL: for new stores.
    case pages
    case sql
}

/// What can be written inside a transaction. The one writer: a context's save and a bulk import both use it.
package protocol StoreWriter: AnyObject {
    /// The first of `count` new keys in a row, for objects of the hierarchy of `root`. Keys are never given twice.
    func reserveKeys(root: Int, count: Int) throws -> Int64
    /// Makes sure that no key up to `key` is given out again: for rows that bring their own.
    func reserveKeys(root: Int, through key: Int64) throws
    /// A number that changes when another connection changes the store.
    func storeVersion() throws -> Int64
    /// The runs that the store has now, whoever has noted them.
    func importLedger() throws -> ImportLedger
    /// How many rows were inserted and updated so far. When a batch is refused it tells which row was to blame; those
    /// before it are written.
    var writtenRows: Int { get }
    /// Inserts rows. To-one references may point to rows that come later in the transaction.
    func insert(_ batch: borrowing RowBatch) throws
    /// Writes all cells of rows that exist, with the version that the header gives.
    func update(_ batch: borrowing RowBatch) throws
    /// Counts the versions of single rows up by one and leaves the rest of them; a key without a row is left out.
    func raiseVersions(root: Int, keys: [Int64]) throws
    /// Removes rows and the links that lie apart from rows: those of join tables at both ends, and those of to-many
    /// relationships without an inverse. References to them in other rows are left to the caller.
    func delete(entity: Int, keys: [Int64]) throws
    /// Sets one to-one reference of a row, leaving its version: the second phase of an import. Nil is no object.
    func setReference(_ relationship: Schema.Relationship, owner: Int64, entity: Int, destination: Int64?) throws
    /// Replaces all links of a to-many relationship of one object, in order. Where the inverse is to-one its reference
    /// is set; objects no longer linked lose theirs.
    func setLinks(_ relationship: Schema.Relationship, owner: Int64, ownerEntity: Int, to destinations: [Link]) throws
    /// Chooses how rows are inserted: nil for page by page where that is possible, and by SQL otherwise. Without it by SQL.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for pages where they are not possible.
    func use(_ loader: RowLoader?) throws
    /// Encodes rows on other threads before they are inserted; nil if this writer does not use encoded rows.
    var rowEncoder: (any RowEncoder)? { get }
    /// How rows were inserted so far.
    var usedLoaders: Set<RowLoader> { get }
    /// Allows the writer to drop the indexes of tables that get many rows, until ``completeIndexes()``.
    func deferIndexes()
    /// Says about how many rows are still to be inserted, for ``deferIndexes()``.
    func expect(rows: Int)
    /// Creates the dropped indexes again.
    func completeIndexes() throws
    /// Completes deferred work, such as building indexes, after the last row is inserted.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if rows violate a unique index.
    func finishRows() throws
    /// Gives the members of ordered relationships that have no order key yet one behind the others, by their keys.
    func completeOrder() throws
    /// Adds a run to the ledger, in this transaction; a store that keeps no ledger does nothing, and one where something
    /// else is in the ledger's place (``ImportLedger/problem``) leaves that.
    func recordRun(_ run: ImportRun) throws
}
