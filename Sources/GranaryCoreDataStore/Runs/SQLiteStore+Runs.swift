package import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// Takes a run back: every row that it touched is as before, in every table (``transaction(recording:_:)``).
    ///
    /// What others have read of the store meanwhile they have to read again.
    ///
    /// - Throws: ``GranaryError``: `unreadable` where no before-images of the run are there; `refused` when a touched
    ///   object has changed since, or another refers to one that would go (the first ones are in the diagnostics); `busy`;
    ///   `usage` when the store is read-only or has not got its name yet.
    @discardableResult
    package func revert(run: String) throws -> RevertedRun {
        guard isPublished, !isReadOnly else {
            throw GranaryError(.usage, "\(path): a run is taken back in a store that is there and may be written")
        }
        return try translating {
            let outcome = try RunRevert(connection: connection, storePath: path, run: run, cancellation: nil).run()
            metadata = try StoreMetadata.read(connection, try connection.schema())
            return outcome
        }
    }

    /// The same for a store whose model is not at hand.
    ///
    /// - Parameter run: nil for the newest run that can be taken back.
    /// - Throws: ``GranaryError``, as ``revert(run:)``; also `unreadable` without a file, and where no run can be taken back;
    ///   `refused` when it is no Core Data store; `uncreatable` when it is write-protected.
    package static func revert(
        path: String, run: String? = nil, busyTimeout: Duration = .seconds(5), cancellation: Cancellation? = nil
    ) throws(GranaryError) -> RevertedRun {
        try converting {
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
            let ledger = try StoreMetadata.read(connection, try connection.schema()).importLedger
            guard let run = run ?? ledger.newestRevertible(ofStore: path) else {
                throw GranaryError(.unreadable, "\(path): it has no run that can be taken back")
            }
            return try RunRevert(connection: connection, storePath: path, run: run, cancellation: cancellation).run()
        }
    }
}

extension ImportLedger {
    /// The name of the newest run whose before-images are there.
    fileprivate func newestRevertible(ofStore path: String) -> String? {
        runs.last { $0.canBeReverted(inStore: path) }?.id
    }
}

extension ImportRun {
    /// Whether its before-images are there.
    package func canBeReverted(inStore path: String) -> Bool {
        guard isRevertible, let folder = try? RunFolder(storePath: path, run: id) else { return false }
        return folder.isThere
    }
}

/// What a revert took back.
package struct RevertedRun: Sendable, Hashable {
    package var id: String
    /// How many objects went that the run had made.
    package var removed = 0
    /// How many objects have their old values again.
    package var restored = 0
    /// How many objects are back that the run had deleted.
    package var broughtBack = 0
    /// How many rows of join tables went, came back or have their old place again.
    package var links = 0

    init(id: String) { self.id = id }
}

extension SQLiteWriter {
    func importLedger() throws -> ImportLedger {
        try StoreMetadata.read(connection, try connection.schema()).importLedger
    }

    /// Writes upon what the metadata hold now: another process may have written them since the store was opened.
    func recordRun(_ run: ImportRun) throws {
        let objects = try connection.schema()
        guard let changed = try StoreMetadata.read(connection, objects).adding(run) else { return }
        try changed.write(to: connection, objects)
        store.pendingMetadata = changed
    }
}
