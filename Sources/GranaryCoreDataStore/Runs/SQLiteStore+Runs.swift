package import GranaryBase
package import GranaryCoordination
import GranarySQLite

extension SQLiteStore: RevertingStore {
    @discardableResult
    package func revert(run: String) throws -> RevertedRun {
        guard isPublished, !isReadOnly else {
            throw GranaryError(
                .usage, "\(path): a run can only be reverted in a published store that is open for writing")
        }
        return try translating {
            let outcome = try RunRevert(connection: connection, storePath: path, run: run, cancellation: nil).run()
            metadata = try StoreMetadata.read(connection, try connection.schema())
            return outcome
        }
    }

    package func runs() throws -> StoreRuns { StoreRuns(importLedger, path: path) }

    /// Reverts a run as ``revert(run:)`` does, without the store's model.
    ///
    /// - Parameter run: the run; nil for the newest run that can be reverted.
    /// - Throws: ``GranaryError``: as ``revert(run:)``; also `unreadable` if the file does not exist or no run can be
    ///   reverted; `refused` if it is not a Core Data store; `uncreatable` if it is write-protected.
    package static func revert(
        path: String, run: String? = nil, busyTimeout: Duration = .seconds(5), cancellation: Cancellation? = nil
    ) throws(GranaryError) -> RevertedRun {
        try converting {
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
            let ledger = try StoreMetadata.read(connection, try connection.schema()).importLedger
            let run = try StoreRuns(ledger, path: path).runToRevert(run, of: path)
            return try RunRevert(connection: connection, storePath: path, run: run, cancellation: cancellation).run()
        }
    }
}

extension SQLiteWriter {
    func importLedger() throws -> ImportLedger {
        try StoreMetadata.read(connection, try connection.schema()).importLedger
    }

    /// Adds a run to the ledger. Reads the current metadata first: another process may have changed them since the
    /// store was opened.
    func recordRun(_ run: ImportRun) throws {
        let objects = try connection.schema()
        guard let changed = try StoreMetadata.read(connection, objects).adding(run) else { return }
        try changed.write(to: connection, objects)
        store.pendingMetadata = changed
    }
}
