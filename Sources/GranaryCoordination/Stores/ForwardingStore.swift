package import Foundation
package import GranaryBase
package import GranaryModel
package import GranaryPropertyLists

/// A store that forwards the calls it does not declare itself to another store.
///
/// `transaction(recording:_:)` is not forwarded: by default it calls the store's own `transaction(_:)`. The import
/// ledger is not forwarded either: it comes from the store's own metadata.
package protocol ForwardingStore: StoreBackend {
    var base: any StoreBackend { get }
}

extension ForwardingStore {
    package var schema: Schema { base.schema }
    package var identifier: String { base.identifier }
    package var capabilities: StoreCapabilities { base.capabilities }
    package var folder: String? { base.folder }
    package var metadata: StoreMetadata { base.metadata }
    package var lastRecordedTransaction: Int64? { base.lastRecordedTransaction }

    package func mayRefuseRows() throws -> Bool { try base.mayRefuseRows() }

    package func read(entities: Range<Int>, batchSize: Int, _ body: (inout RowBatch) throws -> Bool) throws {
        try base.read(entities: entities, batchSize: batchSize, body)
    }

    package func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch {
        try base.read(entities: entities, after: key, limit: limit)
    }

    package func prepare(_ search: StoreSearch) throws -> (any PreparedSearch)? { try base.prepare(search) }

    package func read(root: Int, keys: [Int64]) throws -> RowBatch { try base.read(root: root, keys: keys) }

    package func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64] {
        try base.versions(root: root, keys: keys)
    }

    package func readLinks(
        of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void
    ) throws {
        try base.readLinks(of: relationship, owners: owners, body)
    }

    package func readStoredLinks(
        of relationship: Schema.Relationship, owners: [Int64], _ body: (Link) throws -> Void
    ) throws {
        try base.readStoredLinks(of: relationship, owners: owners, body)
    }

    package func readBrokenLinks(
        of relationship: Schema.Relationship, _ body: (BrokenLink) throws -> Void
    ) throws {
        try base.readBrokenLinks(of: relationship, body)
    }

    package func oneSidedReferences(of relationship: Schema.Relationship) throws -> Int {
        try base.oneSidedReferences(of: relationship)
    }

    package func count(entity: Int) throws -> Int { try base.count(entity: entity) }

    package func keys(
        matching constraint: Schema.UniquenessConstraint, in batch: borrowing RowBatch, row: Int
    ) throws -> [Int64] {
        try base.keys(matching: constraint, in: batch, row: row)
    }

    package func lastKey(root: Int) throws -> Int64 { try base.lastKey(root: root) }

    package func setAuthor(_ author: String?, contextName: String?) { base.setAuthor(author, contextName: contextName) }

    package func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        try base.transaction(body)
    }

    package func reading<Result>(_ body: () throws -> Result) throws -> Result { try base.reading(body) }

    package func pin() throws { try base.pin() }

    package func unpin() { base.unpin() }

    package func setObserver(_ observer: (any PersistentContainerObserver)?) { base.setObserver(observer) }

    package func publish() throws(GranaryError) { try base.publish() }

    package func strayRows(read: [Int: Int]) throws(GranaryError) -> [(table: String, count: Int64)] {
        try base.strayRows(read: read)
    }

    package func setUserMetadata(_ entries: [PropertyListEntry]) throws { try base.setUserMetadata(entries) }

    package func lastHistoryTransaction() throws(GranaryError) -> Int64? { try base.lastHistoryTransaction() }

    package func historyTransactions(
        after number: Int64, limit: Int, of identity: StoreIdentity
    ) throws(GranaryError) -> [PersistentHistoryTransaction] {
        try base.historyTransactions(after: number, limit: limit, of: identity)
    }

    @discardableResult
    package func deleteHistory(before number: Int64) throws(GranaryError) -> Int {
        try base.deleteHistory(before: number)
    }

    @discardableResult
    package func deleteHistory(before date: Date) throws(GranaryError) -> Int { try base.deleteHistory(before: date) }
}
