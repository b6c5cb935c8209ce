import Foundation
package import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// Reverts a run: restores every row that it changed, in every table (``transaction(recording:_:)``).
    ///
    /// Contexts must refetch objects that they read before.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if the run has no before-images; `refused` if an object of the run has
    ///   changed since, or another object refers to one that would be removed (the diagnostics list the first ones);
    ///   `busy`; `usage` if the store is read-only or not published.
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
            guard let run = run ?? ledger.newestRevertible(ofStore: path) else {
                throw GranaryError(.unreadable, "\(path): the store has no run that can be reverted")
            }
            return try RunRevert(connection: connection, storePath: path, run: run, cancellation: cancellation).run()
        }
    }
}

extension ImportLedger {
    /// The name of the newest run with before-images.
    fileprivate func newestRevertible(ofStore path: String) -> String? {
        runs.last { $0.canBeReverted(inStore: path) }?.id
    }
}

extension ImportRun {
    /// Whether the run's before-images exist.
    package func canBeReverted(inStore path: String) -> Bool {
        guard isRevertible, let folder = try? RunFolder(storePath: path, run: id) else { return false }
        return folder.isThere
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
