import Foundation
import GranaryBase
import GranarySQLite

extension SQLiteStore {
    /// Removes a store that nobody uses, and the files of its external data; where there is nothing, nothing happens.
    ///
    /// The file goes first: a crash leaves files of external data too many, never a store that lacks them.
    ///
    /// - Throws: ``GranaryError``: `refused` when it is no Core Data store; `busy` when another process uses it longer
    ///   than `busyTimeout`; `uncreatable` when it is write-protected; `inputOutput`.
    static func destroy(path: String, busyTimeout: Duration) throws(GranaryError) {
        guard PublishedFile.isTaken(path) else { return }
        let file = ArchiveFile.resolved(path)
        try converting {
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
            _ = try StoreMetadata.read(connection, try connection.schema())
            // This moves a write-ahead log into the file, and is refused while others have the store open.
            guard try connection.text(pragma: "journal_mode = DELETE") == "delete" else {
                throw GranaryError(.busy, "\(path): the store is in use; nothing was removed")
            }
            try connection.transaction(.exclusive) {
                // As long as the file is there, no other store can have these names.
                for suffix in PublishedFile.companionSuffixes { try PublishedFile.remove(file + suffix) }
                try PublishedFile.remove(file)
            }
        }
        PublishedFile.syncFolder(of: file)
        if PublishedFile.isLink(path) { try PublishedFile.remove(path) }
        for name in Set([path, file]) { try removeSupportFolder(ofStore: name) }
    }

    private static func removeSupportFolder(ofStore path: String) throws(GranaryError) {
        let support = supportFolder(ofStore: path)
        guard PublishedFile.isTaken(support), !isSupportFolderShared(ofStore: path) else { return }
        do { try FileManager.default.removeItem(atPath: support) } catch {
            throw GranaryError(
                .inputOutput, "\(path): was removed, but not its external data, \(support): \(error)",
                underlying: error)
        }
    }

    /// Whether another store beside this one has its files in the same folder: its name differs in the extension only.
    private static func isSupportFolderShared(ofStore path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let name = parts.last ?? path
        let folder = parts.dropLast().joined(separator: "/")
        let place = folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
        let others = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return others.contains { other in
            other != name && supportFolder(ofStore: other) == supportFolder(ofStore: name)
                && isDatabase(place + "/" + other)
        }
    }

    private static func isDatabase(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: ArchiveFile.resolved(path))
        // Opening a pipe would wait for its other end.
        guard let type = attributes?[.type] as? FileAttributeType, type == .typeRegular,
            let file = FileHandle(forReadingAtPath: path)
        else { return false }
        let start = try? file.read(upToCount: 16)
        return start == Data("SQLite format 3\0".utf8)
    }
}
