import Synchronization

/// The number of snapshots of a store that connections of this process are reading. Rows of a snapshot can name external
/// files that no present row names.
final class SnapshotUse: Sendable {
    private let count = Atomic<Int>(0)

    var isFree: Bool { count.load(ordering: .acquiring) == 0 }

    /// Call before a snapshot begins.
    func begin() { count.add(1, ordering: .acquiringAndReleasing) }

    /// Call after a snapshot has ended.
    func end() { count.subtract(1, ordering: .acquiringAndReleasing) }
}

extension SQLiteStore {
    /// Keeps external files that no row names any more until no snapshot is read: until the end of a later transaction
    /// or of this object.
    ///
    /// - Parameter log: the log that names the files.
    func keepFiles(_ log: ExternalFilesLog) { keptLogs.append(log) }

    /// Removes the files that stayed, unless snapshots are being read.
    func removeKeptFiles() {
        guard !keptLogs.isEmpty, snapshotUse.isFree else { return }
        for log in keptLogs { log.abandon() }
        keptLogs = []
        // Meanwhile another process may have reverted a run, so that rows name the files again. If this fails, the
        // files stay until the store is opened for writing.
        try? ExternalFilesLog.removeAbandonedFiles(ofStore: path, connection)
    }
}
