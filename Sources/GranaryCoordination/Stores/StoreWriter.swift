import GranaryBase
package import GranaryModel

/// Writes to a store inside a transaction. Saves of contexts and bulk imports both use it.
package protocol StoreWriter: AnyObject {
    /// The functions for the insertion of many rows; nil if this writer has none.
    var bulk: (any BulkStoreWriter)? { get }
    /// Allocates `count` consecutive keys for objects of the hierarchy of `root` and returns the first. Keys are never
    /// reused.
    func reserveKeys(root: Int, count: Int) throws -> Int64
    /// Ensures that keys up to `key` are not allocated, for rows that have keys already.
    func reserveKeys(root: Int, through key: Int64) throws
    /// Returns a number that changes when another connection changes the store.
    func storeVersion() throws -> Int64
    /// Returns the current import ledger, including runs of other connections.
    func importLedger() throws -> ImportLedger
    /// The number of rows inserted and updated so far. If a row of a batch is refused, this identifies the row; the
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
    /// Appends the members of ordered relationships that have no order key yet, in order of their keys.
    func completeOrder() throws
    /// Adds a run to the ledger in this transaction. It does nothing if the store keeps no ledger, or if the ledger's
    /// key holds something else (``ImportLedger/problem``).
    func recordRun(_ run: ImportRun) throws
}
