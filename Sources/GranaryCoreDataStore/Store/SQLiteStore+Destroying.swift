import Foundation
import GranaryBase
import GranaryCoordination
import GranarySQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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
        var belongings: [String] = []
        try converting {
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
            _ = try StoreMetadata.read(connection, try connection.schema())
            // This moves a write-ahead log into the file, and is refused while others have the store open.
            guard try connection.text(pragma: "journal_mode = DELETE") == "delete" else {
                throw GranaryError(.busy, "\(path): the store is in use; nothing was removed")
            }
            try connection.transaction(.exclusive) {
                // As long as the file is there, no other store can have its name, and put files of its own there.
                for name in Set([path, file]) { belongings += try externalFiles(ofStore: name, connection) }
                for suffix in PublishedFile.companionSuffixes { try PublishedFile.remove(file + suffix) }
                try PublishedFile.remove(file)
            }
        }
        PublishedFile.syncFolder(of: file)
        if PublishedFile.isLink(path) { try PublishedFile.remove(path) }
        for name in belongings { try PublishedFile.remove(name) }
        for name in Set([path, file]) {
            // Only where they are empty.
            let support = supportFolder(ofStore: name)
            rmdir(support + "/_EXTERNAL_DATA")
            rmdir(support)
            RunFolder.removeAll(ofStore: name)
        }
    }

    /// The files with external data that a store's rows name; where no other store can have any there, those that a crash
    /// has left behind, too.
    private static func externalFiles(ofStore path: String, _ connection: Connection) throws -> [String] {
        let folder = supportFolder(ofStore: path) + "/_EXTERNAL_DATA"
        let present = Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { UUID(uuidString: $0) != nil }
        guard !present.isEmpty else { return [] }
        var names = present
        if isSupportFolderShared(ofStore: path) { names = try namedFiles(connection).intersection(present) }
        return names.sorted().map { folder + "/" + $0 }
    }

    /// What the store's rows name: a tag byte, 36 characters, a zero.
    static func namedFiles(_ connection: Connection) throws -> Set<String> {
        var names: Set<String> = []
        for table in try connection.schema() where table.type == "table" && table.name.hasPrefix("Z") {
            let quoted = "\"" + table.name.replacing("\"", with: "\"\"") + "\""
            var columns: [String] = []
            try connection.withStatement("SELECT name FROM pragma_table_info(?) WHERE type = 'BLOB'") { statement in
                try statement.bind(table.name, at: 1)
                while try statement.step() { columns.append(try statement.string(at: 0) ?? "") }
            }
            for column in columns {
                let value = "\"" + column.replacing("\"", with: "\"\"") + "\""
                let query =
                    "SELECT CAST(substr(\(value), 2, 36) AS TEXT) FROM \(quoted) "
                    + "WHERE length(\(value)) = 38 AND substr(\(value), 1, 1) = x'02'"
                try connection.withStatement(query) { statement in
                    while try statement.step() { if let name = try statement.string(at: 0) { names.insert(name) } }
                }
            }
        }
        return names
    }

    /// Whether another store beside this one, or one in the making, may have its files in the same folder: its name
    /// differs behind the first part only. Other files are not opened to see what they are: closing one would drop the
    /// locks that this process has on it.
    private static func isSupportFolderShared(ofStore path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let name = parts.last ?? path
        let folder = parts.dropLast().joined(separator: "/")
        let place = folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
        // A folder that cannot be read may hold anything.
        guard let others = try? FileManager.default.contentsOfDirectory(atPath: place) else { return true }
        let support = supportFolder(ofStore: name)
        let stem = String(support.dropFirst().dropLast("_SUPPORT".count))
        let own = Set(PublishedFile.companionSuffixes.map { name + $0 } + [name])
        return others.contains { $0 == stem && !own.contains($0) || $0.hasPrefix(stem + ".") && !own.contains($0) }
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension SQLiteStore {
    /// All files and folders that belong to the store at a path, including those that do not exist: its file, its journal and
    /// log, the folder of its external data, and that of its runs.
    package static func files(ofStore path: String) -> [String] {
        [path] + PublishedFile.companionSuffixes.map { path + $0 }
            + [supportFolder(ofStore: path), RunFolder.root(ofStore: path)]
    }

    /// The file mode for outputs with a store's values: the store's own read and write permissions, and always read and write
    /// for the owner. For a store that does not exist, it is 0666; the umask is applied in any case.
    package static func permissions(ofStore path: String) -> UInt32 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0o666 }
        return UInt32(status.st_mode) & 0o666 | 0o600
    }
}
