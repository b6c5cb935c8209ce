import Foundation
import GranaryBase
package import GranaryModel

/// A store whose transaction is open: reads see what the transaction has written, and every further transaction is part
/// of it.
///
/// A context on such a store can save inside the transaction of a bulk import.
///
/// `@unchecked Sendable`: only the thread that runs the transaction uses it, and it ends before the transaction.
package final class OpenTransaction: PersistentStore, @unchecked Sendable {
    private let store: any PersistentStore
    private let writer: any StoreWriter

    package init(_ store: any PersistentStore, _ writer: any StoreWriter) {
        self.store = store
        self.writer = writer
    }

    package var schema: Schema { store.schema }
    package var identifier: String { store.identifier }
    package var capabilities: StoreCapabilities { store.capabilities.intersection(.exactDecimals) }
    package var folder: String? { store.folder }
    package var lastRecordedTransaction: Int64? { store.lastRecordedTransaction }
    package var metadata: StoreMetadata { store.metadata }

    package func mayRefuseRows() throws -> Bool { try store.mayRefuseRows() }

    package func read(entities: Range<Int>, batchSize: Int, _ body: (borrowing RowBatch) throws -> Bool) throws {
        try store.read(entities: entities, batchSize: batchSize, body)
    }

    package func read(entities: Range<Int>, after key: Int64, limit: Int) throws -> RowBatch {
        try store.read(entities: entities, after: key, limit: limit)
    }

    package func read(root: Int, keys: [Int64]) throws -> RowBatch { try store.read(root: root, keys: keys) }

    package func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64] {
        try store.versions(root: root, keys: keys)
    }

    package func readLinks(
        of relationship: Schema.Relationship, owners: [Int64]?, _ body: (Link) throws -> Void
    ) throws {
        try store.readLinks(of: relationship, owners: owners, body)
    }

    package func count(entity: Int) throws -> Int { try store.count(entity: entity) }

    package func keys(
        matching constraint: Schema.UniquenessConstraint, in batch: borrowing RowBatch, row: Int
    ) throws -> [Int64] {
        try store.keys(matching: constraint, in: batch, row: row)
    }

    package func lastKey(root: Int) throws -> Int64 { try store.lastKey(root: root) }

    /// Runs `body` in the open transaction. If it throws, the whole transaction must be rolled back.
    package func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result { try body(writer) }
}
