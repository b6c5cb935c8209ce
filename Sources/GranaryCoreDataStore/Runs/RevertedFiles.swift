import GranaryBase
import GranaryCoordination
import GranarySQLite

/// The files with external data that a revert brings back and removes.
struct RevertedFiles {
    private let revert: RunRevert
    private var folder: ExternalFolder
    private var restored: [String] = []

    init(_ revert: RunRevert) {
        self.revert = revert
        folder = ExternalFolder(ofStore: revert.storePath, databasePath: revert.connection.path)
    }

    /// Before the commit: the files are there before the rows name them again.
    mutating func restore() throws {
        for name in try revert.images.externalFiles(kept: true) {
            let kept = revert.folder.keptFile(name)
            guard PublishedFile.isTaken(kept) else { continue }
            if try folder.adopt(kept, as: name) { restored.append(name) }
        }
        if !restored.isEmpty { folder.sync() }
    }

    /// After the commit: what the run had made and no row names any more. A file too many does no harm.
    func finish() {
        guard let made = try? revert.images.externalFiles(kept: false), !made.isEmpty,
            let named = try? SQLiteStore.namedFiles(revert.connection)
        else { return }
        for name in made where !named.contains(name) { folder.remove(name) }
    }

    /// After a revert that failed.
    func discard() {
        guard !restored.isEmpty, let named = try? SQLiteStore.namedFiles(revert.connection) else { return }
        for name in restored where !named.contains(name) { folder.remove(name) }
    }
}

/// What keeps a run from being taken back: the first ones, and how many there are.
struct RunConflicts {
    private static let limit = 20

    private var diagnostics: [Diagnostic] = []
    private var count = 0

    mutating func add(_ message: String, entity: String?) {
        count += 1
        guard diagnostics.count < Self.limit else { return }
        diagnostics.append(Diagnostic(.objectConflict, message, entity: entity))
    }

    /// - Throws: ``GranaryError`` with code `refused`.
    func throwIfAny(_ path: String, _ run: String) throws(GranaryError) {
        guard count > 0 else { return }
        let shown = count > diagnostics.count ? "; the first \(diagnostics.count) are named" : ""
        throw GranaryError(
            .refused,
            "\(path): the run \(run) cannot be taken back, the store has changed since in \(count) "
                + "place\(count == 1 ? "" : "s")\(shown)", diagnostics: diagnostics)
    }
}
