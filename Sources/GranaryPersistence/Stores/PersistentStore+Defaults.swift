package import Foundation
package import GranaryBase
package import GranaryPropertyLists

// Most stores have no history, no other process beside them, and are there as soon as they are made.
extension PersistentStore {
    package func setAuthor(_ author: String?, contextName: String?) {}

    package var lastRecordedTransaction: Int64? { nil }

    package func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64] {
        Dictionary(try read(root: root, keys: keys).rows.map { ($0.key, $0.version) }) { first, _ in first }
    }

    package func reading<Result>(_ body: () throws -> Result) throws -> Result { try body() }

    package func publish() throws(GranaryError) {}

    package var metadata: StoreMetadata { StoreMetadata(schema: schema, identifier: identifier) }

    package func setUserMetadata(_ entries: [PropertyListEntry]) throws {
        throw GranaryError(.usage, "the store \(identifier) keeps no metadata")
    }

    package func lastHistoryTransaction() throws(GranaryError) -> Int64? { nil }

    package func historyTransactions(
        after number: Int64, limit: Int
    ) throws(GranaryError) -> [StoredHistoryTransaction] { [] }

    @discardableResult
    package func deleteHistory(before number: Int64) throws(GranaryError) -> Int { 0 }

    @discardableResult
    package func deleteHistory(before date: Date) throws(GranaryError) -> Int { 0 }
}
