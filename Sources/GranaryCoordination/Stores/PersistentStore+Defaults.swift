package import Foundation
package import GranaryBase
package import GranaryPropertyLists

// Most stores have no history, no other process beside them, and are there as soon as they are made.
extension PersistentStore {
    package var folder: String? { nil }

    package func mayRefuseRows() throws -> Bool { false }

    package func setAuthor(_ author: String?, contextName: String?) {}

    package var lastRecordedTransaction: Int64? { nil }

    package func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64] {
        Dictionary(try read(root: root, keys: keys).rows.map { ($0.key, $0.version) }) { first, _ in first }
    }

    package func reading<Result>(_ body: () throws -> Result) throws -> Result { try body() }

    package func transaction<Result>(
        recording run: String?, _ body: (any StoreWriter) throws -> Result
    ) throws -> Result {
        guard run == nil else {
            throw GranaryError(.usage, "only an SQLite store keeps what is needed to take a run back")
        }
        return try transaction(body)
    }

    package var importLedger: ImportLedger { metadata.importLedger }

    /// The runs of the ledger, newest last.
    package var importRuns: [ImportRun] { importLedger.runs }

    package func publish() throws(GranaryError) {}

    package func strayRows() throws(GranaryError) -> [(table: String, count: Int64)] { [] }

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

extension StoreWriter {
    package func deferIndexes() {}

    package func use(_ loader: RowLoader?) throws {
        guard loader == .pages else { return }
        throw GranaryError(.usage, "rows are loaded as pages into new SQLite stores only")
    }

    package var rowEncoder: (any RowEncoder)? { nil }
    package var usedLoaders: Set<RowLoader> { [] }
    package func expect(rows: Int) {}

    package func completeIndexes() throws {}

    package func finishRows() throws { try completeIndexes() }

    package func storeVersion() throws -> Int64 { 0 }

    package func recordRun(_ run: ImportRun) throws {}

    package func importLedger() throws -> ImportLedger { ImportLedger(nil) }
}
