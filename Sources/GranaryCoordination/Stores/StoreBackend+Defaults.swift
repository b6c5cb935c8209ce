package import Foundation
package import GranaryBase
package import GranaryModel
package import GranaryPropertyLists

// Defaults for stores without a history, without access by other processes and without a separate publishing step.
extension StoreBackend {
    /// Whether a Decimal is stored with all its 38 digits instead of as a double.
    package var keepsExactDecimals: Bool { capabilities.contains(.exactDecimals) }

    package var folder: String? { nil }

    package func mayRefuseRows() throws -> Bool { false }

    package func setAuthor(_ author: String?, contextName: String?) {}

    package var lastRecordedTransaction: Int64? { nil }

    package func dataVersion() throws -> Int64? { nil }

    package func add(_ log: TransactionLog) {}

    package func versions(root: Int, keys: [Int64]) throws -> [Int64: Int64] {
        Dictionary(try read(root: root, keys: keys).rows.map { ($0.key, $0.version) }) { first, _ in first }
    }

    package func reading<Result>(_ body: () throws -> Result) throws -> Result { try body() }

    package func pin() throws {}

    package func unpin() {}

    package func setObserver(_ observer: (any PersistentContainerObserver)?) {}

    package var readerFactory: StoreReaderFactory? { nil }

    package func transaction<Result>(
        recording run: String?, _ body: (any StoreWriter) throws -> Result
    ) throws -> Result {
        guard run == nil else {
            throw GranaryError(.usage, "only an import into a single SQLite or PostgreSQL store can be revertible")
        }
        return try transaction(body)
    }

    /// Runs `body` in one transaction, and commits or rolls back as it says. If `body` throws, all its changes are
    /// rolled back.
    package func transaction<Result>(
        recording run: String? = nil, ending body: (any StoreWriter) throws -> TransactionEnd<Result>
    ) throws -> Result {
        var rolledBack: Result?
        do {
            return try transaction(recording: run) { writer in
                switch try body(writer) {
                case .commit(let result): return result
                case .rollBack(let result):
                    rolledBack = result
                    throw RollBack()
                }
            }
        } catch {
            // A store may wrap the error of the body. An error of the rollback itself is thrown on.
            guard let rolledBack, error is RollBack || (error as? GranaryError)?.underlying is RollBack else {
                throw error
            }
            return rolledBack
        }
    }

    package var importLedger: ImportLedger { metadata.importLedger }

    /// The runs in the ledger, newest last.
    package var importRuns: [ImportRun] { importLedger.runs }

    package func publish() throws(GranaryError) {}

    package func readStoredLinks(
        of relationship: Schema.Relationship, owners: [Int64], _ body: (Link) throws -> Void
    ) throws {
        try readLinks(of: relationship, owners: owners, body)
    }

    package func readBrokenLinks(
        of relationship: Schema.Relationship, _ body: (BrokenLink) throws -> Void
    ) throws {}

    package func oneSidedReferences(of relationship: Schema.Relationship) throws -> Int { 0 }

    package func strayRows(read: [Int: Int]) throws(GranaryError) -> [(table: String, count: Int64)] { [] }

    package var metadata: StoreMetadata { StoreMetadata(schema: schema, identifier: identifier) }

    package func setUserMetadata(_ entries: [PropertyListEntry]) throws {
        throw GranaryError(.usage, "the store \(identifier) has no writable metadata")
    }

    package func lastHistoryTransaction() throws(GranaryError) -> Int64? { nil }

    package func historyTransactions(
        after number: Int64, limit: Int, of identity: StoreIdentity
    ) throws(GranaryError) -> [PersistentHistoryTransaction] { [] }

    @discardableResult
    package func deleteHistory(before number: Int64) throws(GranaryError) -> Int { 0 }

    @discardableResult
    package func deleteHistory(before date: Date) throws(GranaryError) -> Int { 0 }
}

extension StoreWriter {
    package func storeVersion() throws -> Int64 { 0 }

    package func recordRun(_ run: ImportRun) throws {}

    package func importLedger() throws -> ImportLedger { ImportLedger(nil) }
}

/// Makes a store roll back.
private struct RollBack: Error {}
