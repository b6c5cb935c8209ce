import GranaryBase
import GranaryCoordination
import GranarySQLite

/// Restores and removes the external files of a revert.
struct RevertedFiles {
    private let revert: RunRevert
    private var folder: ExternalFolder
    private var restored: [String] = []

    init(_ revert: RunRevert) {
        self.revert = revert
        folder = ExternalFolder(ofStore: revert.storePath, databasePath: revert.connection.path)
    }

    /// Restores files. Call before the commit, so that the files exist before rows name them.
    mutating func restore() throws {
        for name in try revert.images.externalFiles(kept: true) {
            let kept = revert.folder.keptFile(name)
            guard PublishedFile.isTaken(kept) else { continue }
            if try folder.adopt(kept, as: name) { restored.append(name) }
        }
        if !restored.isEmpty { folder.sync() }
    }

    /// Removes files that the run created and no row names any more. Call after the commit.
    func finish() {
        guard let made = try? revert.images.externalFiles(kept: false), !made.isEmpty,
            let named = try? SQLiteStore.namedFiles(revert.connection)
        else { return }
        for name in made where !named.contains(name) { folder.remove(name) }
    }

    /// Removes restored files that no row names. Call after a failed revert.
    func discard() {
        guard !restored.isEmpty, let named = try? SQLiteStore.namedFiles(revert.connection) else { return }
        for name in restored where !named.contains(name) { folder.remove(name) }
    }
}
