public import Foundation
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

/// The changes made by a revert.
public struct RevertedRun: Sendable, Hashable {
    /// The name of the run.
    public let id: String
    /// The number of objects that the run had inserted and the revert removed.
    public internal(set) var removed = 0
    /// The number of objects whose values were restored.
    public internal(set) var restored = 0
    /// The number of objects that the run had deleted and the revert inserted again.
    public internal(set) var broughtBack = 0
    /// The number of rows of join tables that were removed, inserted or restored.
    public internal(set) var links = 0
}

extension RevertedRun {
    /// Reverts an import run of a store file: every row that the run changed is as it was before (`granary store
    /// revert`). The model is not needed. Contexts must refetch objects that they read before.
    ///
    /// ```swift
    /// let reverted = try await RevertedRun.revert("run-3", inStoreAt: URL(filePath: "Seed.sqlite"))
    /// ```
    ///
    /// - Parameter run: the name in `ImportReport.run`; nil for the newest run that can be reverted.
    /// - Throws: ``GranaryError``: `unreadable` if there is no such file or run, or the run was not revertible;
    ///   `refused` if an object of the run has changed since, or the file is not a Core Data store; `busy`;
    ///   `uncreatable` if it is write-protected; `interrupted` if the task is cancelled. The store is then unchanged.
    public static func revert(_ run: String? = nil, inStoreAt url: URL) async throws -> RevertedRun {
        try await InBackground.run { cancellation in
            try SQLiteStore.revert(path: url.path(percentEncoded: false), run: run, cancellation: cancellation)
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
