import Foundation
import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// Removes a store that is not in use and its external files. Does nothing if the file does not exist.
    ///
    /// The store's file is removed first, so a crash may leave external files without a store, but never a store that
    /// lacks its external files.
    ///
    /// - Parameter kept: the names of external files of another store in the same folder, which are not removed.
    /// - Throws: ``GranaryError``: `refused` if it is not a Core Data store; `busy` if another process uses it longer
    ///   than `busyTimeout`; `uncreatable` if it is write-protected; `inputOutput`.
    static func destroy(path: String, busyTimeout: Duration, keeping kept: Set<String> = []) throws(GranaryError) {
        guard PublishedFile.isTaken(path) else { return }
        let file = ArchiveFile.resolved(path)
        var belongings: [String] = []
        try converting {
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
            _ = try StoreMetadata.read(connection, try connection.schema())
            // This moves a write-ahead log into the file. It fails while other connections have the store open.
            guard try connection.text(pragma: "journal_mode = DELETE") == "delete" else {
                throw GranaryError(.busy, "\(path): the store is in use; nothing was removed")
            }
            try connection.transaction(.exclusive) {
                // While the file exists, no new store can take its name and add external files to the folder.
                for name in Set([path, file]) {
                    belongings += try externalFiles(ofStore: name, connection, keeping: kept)
                }
                for suffix in PublishedFile.companionSuffixes { try PublishedFile.remove(file + suffix) }
                try PublishedFile.remove(file)
            }
        }
        PublishedFile.syncFolder(of: file)
        if PublishedFile.isLink(path) { try PublishedFile.remove(path) }
        for name in belongings { try PublishedFile.remove(name) }
        for name in Set([path, file]) {
            // rmdir removes empty folders only.
            rmdir(ExternalData.folder(ofStore: name))
            rmdir(supportFolder(ofStore: name))
            RunFolder.removeAll(ofStore: name)
        }
    }

    /// The external files that the store's rows name. If no other store uses the folder, all external files in it,
    /// which includes files left by a crash.
    private static func externalFiles(
        ofStore path: String, _ connection: Connection, keeping kept: Set<String>
    ) throws -> [String] {
        let folder = ExternalData.folder(ofStore: path)
        let present = Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { ExternalData.isFileName($0) && !kept.contains($0) }
        guard !present.isEmpty else { return [] }
        var names = present
        if isSupportFolderShared(ofStore: path) { names = try namedFiles(connection).intersection(present) }
        return names.sorted().map { folder + "/" + $0 }
    }

    /// The names of external files in the store's rows: a tag byte, 36 characters and a zero.
    static func namedFiles(_ connection: Connection) throws -> Set<String> {
        var names: Set<String> = []
        for table in try connection.schema() where table.type == "table" && table.name.hasPrefix("Z") {
            let quoted = SQL.quoteIdentifier(table.name)
            var columns: [String] = []
            try connection.withStatement("SELECT name FROM pragma_table_info(?) WHERE type = 'BLOB'") { statement in
                try statement.bind(table.name, at: 1)
                while try statement.step() { columns.append(try statement.string(at: 0) ?? "") }
            }
            for column in columns {
                let value = SQL.quoteIdentifier(column)
                let query =
                    "SELECT CAST(substr(\(value), 2, 36) AS TEXT) FROM \(quoted) "
                    + "WHERE length(\(value)) = 38 AND \(ExternalData.leadsToFile(value))"
                try connection.withStatement(query) { statement in
                    while try statement.step() { if let name = try statement.string(at: 0) { names.insert(name) } }
                }
            }
        }
        return names
    }

    /// Whether another file in the same folder may be a store with the same support folder: its name differs only in
    /// the extension. Such files are not opened to check: closing a file would release this process's locks on it.
    private static func isSupportFolderShared(ofStore path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let name = parts.last ?? path
        let folder = parts.dropLast().joined(separator: "/")
        let place = folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
        // If the folder cannot be read, assume that another store exists.
        guard let others = try? FileManager.default.contentsOfDirectory(atPath: place) else { return true }
        let support = supportFolder(ofStore: name)
        let stem = String(support.dropFirst().dropLast("_SUPPORT".count))
        let own = Set(PublishedFile.companionSuffixes.map { name + $0 } + [name])
        return others.contains { $0 == stem && !own.contains($0) || $0.hasPrefix(stem + ".") && !own.contains($0) }
    }
}

extension SQLiteStore {
    /// The paths of all files and folders that may belong to a store: its file, its journal and logs, its support
    /// folder and the folder of its runs.
    package static func files(ofStore path: String) -> [String] {
        [path] + PublishedFile.companionSuffixes.map { path + $0 }
            + [supportFolder(ofStore: path), RunFolder.root(ofStore: path)]
    }

    /// The file mode for outputs with a store's values: the read and write permissions of the store, and always read
    /// and write for the owner. The umask is applied in any case.
    ///
    /// - Parameter missing: the mode if the store does not exist.
    package static func permissions(ofStore path: String, otherwise missing: UInt32 = 0o666) -> UInt32 {
        var status = stat()
        guard stat(path, &status) == 0 else { return missing }
        return UInt32(status.st_mode) & 0o666 | 0o600
    }
}
