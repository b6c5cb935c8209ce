import Foundation
import GranaryBase
import GranaryCoordination
import GranarySQLite

/// The external files and the runs of a store that is replaced or removed.
///
/// They are logged before the store's file goes away, and removed after it. If the process is killed between the two,
/// the next process that uses the store's name removes them (``ExternalFilesLog``).
struct StoreBelongings {
    private let storePath: String
    private let files: [String]
    private let runs: [String]
    private let log: ExternalFilesLog

    /// - Parameters:
    ///   - connection: the old store's. No other process may change the store.
    ///   - kept: the external files of the store that replaces it.
    init(ofStore path: String, _ connection: Connection, keeping kept: Set<String>) throws {
        storePath = path
        files = try Self.externalFiles(ofStore: path, connection, keeping: kept)
        runs = RunFolder.names(ofStore: path)
        log = ExternalFilesLog(storePath: path)
    }

    /// - Throws: ``GranaryError`` with code `uncreatable` or `inputOutput`.
    func writeLog() throws(GranaryError) {
        for name in files { try log.add(name) }
        for run in runs { try log.add(run: run) }
    }

    /// Removes all files, even if one cannot be removed.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` for the first file that cannot be removed. The next process
    ///   that uses the store's name tries again.
    func remove() throws(GranaryError) {
        var failure: GranaryError?
        let folder = ExternalData.folder(ofStore: storePath)
        for name in files {
            do throws(GranaryError) {
                try PublishedFile.remove("\(folder)/\(name)")
                try PublishedFile.remove("\(folder)/\(name).partial")
            } catch { failure = failure ?? error }
        }
        // rmdir removes empty folders only.
        rmdir(folder)
        rmdir(SQLiteStore.supportFolder(ofStore: storePath))
        RunFolder.removeAll(ofStore: storePath)
        guard let failure else { return log.remove() }
        log.abandon()
        throw failure
    }

    /// The external files that the store's rows name. If no other store uses the folder, all external files in it,
    /// which includes files left by a crash, but no files of running processes.
    private static func externalFiles(
        ofStore path: String, _ connection: Connection, keeping kept: Set<String>
    ) throws -> [String] {
        let folder = ExternalData.folder(ofStore: path)
        var names: Set<String> = []
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let suffix = ".partial"
            let whole = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
            if ExternalData.isFileName(whole), !kept.contains(whole) { names.insert(whole) }
        }
        guard !names.isEmpty else { return [] }
        if isSupportFolderShared(ofStore: path) {
            names.formIntersection(try SQLiteStore.namedFiles(connection))
        } else {
            // A name is logged before its file is created, so the logs are read after the folder.
            names.subtract(ExternalFilesLog.filesInUse(ofStore: path))
        }
        return names.sorted()
    }

    /// Whether another file in the same folder may be a store with the same support folder: its name differs only in
    /// the extension. Such files are not opened to check: closing a file would release this process's locks on it.
    static func isSupportFolderShared(ofStore path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let name = parts.last ?? path
        let folder = parts.dropLast().joined(separator: "/")
        let place = folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
        // If the folder cannot be read, assume that another store exists.
        guard let others = try? FileManager.default.contentsOfDirectory(atPath: place) else { return true }
        let support = SQLiteStore.supportFolder(ofStore: name)
        let own = Set(PublishedFile.companionSuffixes.map { name + $0 } + [name, RunFolder.root(ofStore: name)])
        return others.contains { other in
            !own.contains(other) && SQLiteStore.supportFolder(ofStore: other) == support
                && FileKind("\(place)/\(other)") != .folder
        }
    }
}
