import Foundation
package import GranaryBase
import GranaryCoordination
import GranarySQLite

extension SQLiteStore {
    /// Removes a store that is not in use, its external files and its runs. Does nothing if the file does not exist.
    ///
    /// The store's file is removed first, so a crash may leave external files without a store, but never a store that
    /// lacks its external files.
    ///
    /// - Throws: ``GranaryError``: `refused` if it is not a Core Data store; `busy` if another process uses it longer
    ///   than `busyTimeout`; `uncreatable` if it is write-protected; `inputOutput`.
    static func destroy(path: String, busyTimeout: Duration) throws(GranaryError) {
        guard PublishedFile.isTaken(path) else { return }
        var belongings: [StoreBelongings] = []
        try withUnusedStore(path, busyTimeout, keeping: [], &belongings) { file in try PublishedFile.remove(file) }
        PublishedFile.syncFolder(of: ArchiveFile.resolved(path))
        if PublishedFile.isLink(path) { try PublishedFile.remove(path) }
        for part in belongings { try part.remove() }
    }

    /// Replaces a store that is not in use by a new one, with a rename: the old store or the new one has the name at
    /// every moment. A link is replaced, and the store behind it is removed.
    ///
    /// - Parameters:
    ///   - temporary: the new store's file, which no connection has open.
    ///   - kept: the names of the new store's external files.
    /// - Returns: the files of the old store, which the caller removes.
    /// - Throws: as ``destroy(path:busyTimeout:)``. The old store is unchanged then.
    static func replace(
        path: String, with temporary: String, keeping kept: Set<String>, busyTimeout: Duration
    ) throws(GranaryError) -> [StoreBelongings] {
        try PublishedFile.sync(temporary, for: path)
        let isLink = PublishedFile.isLink(path)
        var belongings: [StoreBelongings] = []
        var isReplaced = false
        do throws(GranaryError) {
            try withUnusedStore(path, busyTimeout, keeping: kept, &belongings) { file in
                guard rename(temporary, path) == 0 else {
                    throw GranaryError(.inputOutput, "\(path): cannot be replaced: \(errnoText())")
                }
                isReplaced = true
                if isLink { unlink(file) }
            }
        } catch {
            // The old file has no name any more, so an error of its connection does not matter.
            guard isReplaced else { throw error }
        }
        PublishedFile.syncFolder(of: path)
        return belongings
    }

    /// Calls `body` with the resolved path of a store while no other process uses it. The store is then one file, and
    /// `belongings`, what belongs to it, is logged.
    private static func withUnusedStore(
        _ path: String, _ busyTimeout: Duration, keeping kept: Set<String>,
        _ belongings: inout [StoreBelongings], _ body: (String) throws -> Void
    ) throws(GranaryError) {
        let file = ArchiveFile.resolved(path)
        try converting {
            let connection = try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
            _ = try StoreMetadata.read(connection, try connection.schema())
            // This moves a write-ahead log into the file. It fails while other connections have the store open.
            guard try connection.text(pragma: "journal_mode = DELETE") == "delete" else {
                throw GranaryError(.busy, "\(path): the store is in use; nothing was removed")
            }
            try connection.transaction(.exclusive) {
                belongings = try abandon(path, file, connection, keeping: kept)
                try body(file)
            }
        }
    }

    /// Logs what belongs to a store whose file the caller removes or replaces, in an exclusive transaction, and removes
    /// its journals.
    ///
    /// - Parameter file: the resolved path.
    /// - Returns: what the caller removes when the file is gone.
    static func abandon(
        _ path: String, _ file: String, _ connection: Connection, keeping kept: Set<String>
    ) throws -> [StoreBelongings] {
        // While the file exists, no new store can take its name and add external files to the folder.
        let belongings = try Set([path, file]).sorted().map {
            try StoreBelongings(ofStore: $0, connection, keeping: kept)
        }
        for part in belongings { try part.writeLog() }
        // SQLite would apply a journal that stays to the new file.
        for suffix in PublishedFile.companionSuffixes { try PublishedFile.remove(file + suffix) }
        return belongings
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
}

extension SQLiteStore {
    /// The paths of all files and folders that may belong to a store: its file, its journal and logs, its support
    /// folder and the folder of its runs.
    package static func files(ofStore path: String) -> [String] {
        [path] + PublishedFile.companionSuffixes.map { path + $0 }
            + [supportFolder(ofStore: path), RunFolder.root(ofStore: path)]
    }

    /// Checks that a new store made of another one can have a path.
    ///
    /// - Parameter replacing: whether a file at the path is replaced.
    /// - Throws: ``GranaryError``: `usage` if the path is one of the source's files; `uncreatable` if it is taken.
    package static func checkOutput(
        _ output: String, of source: String?, replacing: Bool
    ) throws(GranaryError) {
        var protected = ProtectedFiles()
        if let source { protected.add(files(ofStore: source), as: "the store's") }
        if let conflict = protected.conflict(of: output) {
            throw GranaryError(.usage, "the output \(output) \(conflict); nothing was read")
        }
        let kind = FileKind(output)
        guard kind != .folder, kind != .special else {
            throw GranaryError(.uncreatable, "\(output): is not a file and cannot be replaced by a store")
        }
        if kind == .file, !replacing { throw GranaryError(.uncreatable, "\(output): already exists", help: "--force") }
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
