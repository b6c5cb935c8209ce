package import GranaryModel

/// A writer with functions for the insertion of many rows. Imports, generations and subsets use them through
/// ``StoreWriter/bulk``. A kind of store need not have such a writer.
///
/// A wrapper of writers conforms too, forwards each call, and returns nil for ``StoreWriter/bulk`` if no writer below
/// it is a bulk writer.
package protocol BulkStoreWriter: StoreWriter {
    /// Sets how rows are inserted; nil means page by page if possible, otherwise by SQL. The default is SQL.
    ///
    /// Use ``StoreWriter/chooseLoader(_:)``, which every writer has.
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
    /// Completes deferred work, such as building indexes, after the last row is inserted.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if rows violate a unique index.
    func finishRows() throws
    /// Adds links of a to-many relationship to owners that have none in it yet. The links of one owner follow each
    /// other in their order, and each destination occurs once.
    ///
    /// Use ``StoreWriter/insertLinks(_:_:ownerEntity:)``, which every writer has.
    func addLinks(_ relationship: Schema.Relationship, _ links: [Link], ownerEntity: Int) throws
    /// Suspends the triggers of attributes with a trigger key until ``resumeCounts()``. The triggers would replace the
    /// given values of these attributes.
    ///
    /// - Parameter includingTimes: whether derived attributes with the time of a save have given values, too.
    func suspendCounts(includingTimes: Bool) throws
    /// Restores the triggers of ``suspendCounts(includingTimes:)``. Call when all rows and links are written.
    func resumeCounts() throws
}

extension BulkStoreWriter {
    package var bulk: (any BulkStoreWriter)? { self }
}

extension StoreWriter {
    package var bulk: (any BulkStoreWriter)? { nil }

    /// Sets how rows are inserted; nil means page by page if possible.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if rows cannot be inserted as pages.
    package func chooseLoader(_ loader: RowLoader?) throws {
        if let bulk { return try bulk.use(loader) }
        if loader == .pages { throw RowLoader.pagesError }
    }

    /// Adds links of a to-many relationship to owners that have none in it yet. The links of one owner follow each
    /// other in their order, and each destination occurs once.
    package func insertLinks(_ relationship: Schema.Relationship, _ links: [Link], ownerEntity: Int) throws {
        if let bulk { return try bulk.addLinks(relationship, links, ownerEntity: ownerEntity) }
        try setLinksOfEach(relationship, links, ownerEntity: ownerEntity)
    }

    /// Sets the links of one owner after the other.
    package func setLinksOfEach(_ relationship: Schema.Relationship, _ links: [Link], ownerEntity: Int) throws {
        var rest = links[...]
        while let owner = rest.first?.owner {
            let own = rest.prefix { $0.owner == owner }
            try setLinks(relationship, owner: owner, ownerEntity: ownerEntity, to: Array(own))
            rest = rest.dropFirst(own.count)
        }
    }
}
