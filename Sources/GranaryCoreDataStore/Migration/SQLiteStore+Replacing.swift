import Foundation
package import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// Runs `body` while no other connection reads or writes the store. Its log is moved into the file. If `body` throws,
    /// the store has its journal mode again.
    ///
    /// - Throws: ``GranaryError`` with code `busy` if another connection has the store open.
    func withSoleUse(_ body: () throws -> Void) throws {
        let mode = try connection.text(pragma: "journal_mode")
        guard try connection.text(pragma: "journal_mode = DELETE") == "delete" else {
            throw GranaryError(.busy, "\(path): another process has the store open; nothing was changed")
        }
        do { try connection.transaction(.exclusive, body) } catch {
            if mode == "wal" { _ = try? connection.text(pragma: "journal_mode = WAL") }
            throw error
        }
    }

    /// Gives this unpublished store the name of another one, in the exclusive transaction of that store's connection.
    /// At every moment, one of the two has the name.
    ///
    /// - Parameter backup: a second name for the other store, which it then keeps with its external files.
    /// - Returns: the files of the other store, which the caller removes after the transaction.
    func takePlace(of old: SQLiteStore, backup: String?) throws -> [StoreBelongings] {
        guard let partial else { return [] }
        let kept = try Self.namedFiles(connection)
        try connection.close()
        try PublishedFile.sync(partial.path, for: path)
        if let backup {
            let files = Self.supportFolder(ofStore: old.path)
            // The files come first: after a crash, a store without its files must not have the name.
            if case .folder = FileKind(files) {
                let names = try Self.namedFiles(old.connection)
                try ExternalFolder.copy(names.sorted(), ofStore: old.path, toStore: backup)
            }
            try PublishedFile.linkOrCopy(old.path, as: backup)
        }
        let belongings = try Self.abandon(path, path, old.connection, keeping: kept)
        guard rename(partial.path, path) == 0 else {
            throw GranaryError(.inputOutput, "\(path): cannot be replaced: \(errnoText())")
        }
        PublishedFile.syncFolder(of: path)
        self.partial = nil
        unpublishedFiles = []
        unpublishedLogs = []
        unpublishedRuns = []
        return belongings
    }

    /// Removes what processes that were killed have left beside a store.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`, `busy` or `uncreatable`.
    package static func removeAbandonedFiles(path: String) throws(GranaryError) {
        PartialFile.removeAbandoned(of: path)
        try converting {
            try ExternalFilesLog.removeAbandonedFiles(ofStore: path, try Connection(path: path, mode: .readWrite))
        }
    }
}
