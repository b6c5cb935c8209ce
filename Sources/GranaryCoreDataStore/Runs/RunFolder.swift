import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

/// The folder `STORE.runs/ID` with the data to revert a run. It gets this name only when it is complete.
struct RunFolder {
    let storePath: String
    let run: String

    /// - Throws: ``GranaryError`` with code `usage` for an invalid name: the name becomes part of a path.
    init(storePath: String, run: String) throws(GranaryError) {
        _ = try RevertRefusal(store: storePath, run: run)
        self.storePath = storePath
        self.run = run
    }

    static func root(ofStore path: String) -> String { path + ".runs" }

    private var root: String { Self.root(ofStore: storePath) }
    var path: String { root + "/" + run }
    /// The temporary name of the folder.
    var partialPath: String { path + ".partial" }

    /// The database with the before-images.
    var database: String { path + "/before.sqlite" }
    var partialDatabase: String { partialPath + "/before.sqlite" }

    /// The path of an external file that the run removed.
    func keptFile(_ name: String) -> String { path + "/external/" + name }

    var isThere: Bool { PublishedFile.isTaken(database) }

    // MARK: Creating

    /// Creates the folder under its temporary name, with the permissions of the store.
    ///
    /// - Parameter databasePath: the present path of the store's file.
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    func begin(databasePath: String) throws(GranaryError) {
        Self.remove(partialPath)
        let mode = mode_t(SQLiteStore.permissions(ofStore: databasePath, otherwise: 0o600))
        let folderMode = mode | (mode & 0o444) >> 2
        for folder in [root, partialPath, partialPath + "/external"] {
            if mkdir(folder, folderMode) == 0 {
                // The umask may have removed permissions that the store has.
                chmod(folder, folderMode)
            } else if errno != EEXIST {
                throw GranaryError(.uncreatable, "\(folder): cannot be created: \(errnoText())")
            }
        }
    }

    /// Keeps an external file that the run will remove. Does nothing if the file is missing.
    func keep(_ name: String) throws(GranaryError) {
        let source = ExternalData.file(name, ofStore: storePath)
        guard PublishedFile.isTaken(source) else { return }
        try PublishedFile.linkOrCopy(source, as: partialPath + "/external/" + name)
    }

    /// Records the digests, syncs the files and renames the folder to its name.
    func finish() throws {
        // SQLite created the file with its default mode; the folder has the store's mode.
        var status = stat()
        if stat(partialPath, &status) == 0 { chmod(partialDatabase, status.st_mode & 0o666) }
        try writeDigests()
        try PublishedFile.sync(partialDatabase, for: database)
        for folder in [partialPath + "/external/.", partialPath + "/."] { PublishedFile.syncFolder(of: folder) }
        // A folder with this name belongs to no run in the ledger.
        Self.remove(path)
        guard rename(partialPath, path) == 0 else {
            throw GranaryError(.uncreatable, "\(path): cannot be created: \(errnoText())")
        }
        for folder in [path, root] { PublishedFile.syncFolder(of: folder) }
    }

    // MARK: Removing

    /// Removes the folder under its temporary name.
    func removePartial() {
        Self.remove(partialPath)
        rmdir(root)
    }

    func remove() {
        Self.remove(partialPath)
        Self.remove(path)
        rmdir(root)
    }

    /// The names of the runs with a folder.
    static func names(ofStore path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root(ofStore: path))) ?? []
        return names.filter { (try? RunFolder(storePath: path, run: $0)) != nil }.sorted()
    }

    /// Removes all runs of a removed store, and their parent folder if it is empty then.
    static func removeAll(ofStore path: String) {
        let root = root(ofStore: path)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [] {
            remove(root + "/" + name)
        }
        rmdir(root)
    }

    /// Removes the files of a run, the database first: without it the run does not exist. Other files and their folders
    /// stay.
    private static func remove(_ folder: String) {
        PublishedFile.discard(folder + "/before.sqlite")
        unlink(folder + "/" + digestsName)
        let external = folder + "/external"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: external)) ?? []
        where ExternalData.isFileName(name) {
            unlink(external + "/" + name)
        }
        rmdir(external)
        rmdir(folder)
    }
}

/// The SHA-256 digests of a run's files, in the file `digests` with lines `DIGEST NAME`. A revert refuses changed
/// files.
extension RunFolder {
    static let digestsName = "digests"
    private static let sizeLimit = 1 << 30

    /// Call before the folder is renamed, when its database is closed and its external files are complete.
    func writeDigests() throws {
        var lines = "\(try Self.digest(of: partialDatabase)) before.sqlite\n"
        let external = partialPath + "/external"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: external)) ?? []
        for name in names.sorted() { lines += "\(try Self.digest(of: external + "/" + name)) \(name)\n" }
        let output = try ByteOutput.file(
            partialPath + "/" + Self.digestsName, replacing: true,
            permissions: SQLiteStore.permissions(ofStore: storePath))
        output.append(lines)
        try output.finish()
    }

    /// - Throws: ``GranaryError`` with code `refused` if digests are missing or a file has another digest.
    func checkDigests() throws {
        guard let bytes = try? ByteSource(path: path + "/" + Self.digestsName).readAll(limit: Self.sizeLimit) else {
            throw damaged("its file \(Self.digestsName) is missing")
        }
        var digests: [String: Substring] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { digests[String(parts[1])] = parts[0] }
        }
        let external = (try? FileManager.default.contentsOfDirectory(atPath: path + "/external")) ?? []
        for name in ["before.sqlite"] + external.filter({ digests[$0] != nil || ExternalData.isFileName($0) }) {
            let place = name == "before.sqlite" ? database : keptFile(name)
            guard let known = digests.removeValue(forKey: name), try Self.digest(of: place) == known else {
                throw damaged("\(place) has changed since the run")
            }
        }
        if let missing = digests.keys.min() { throw damaged("\(missing) is missing") }
    }

    func damaged(_ what: String) -> GranaryError {
        GranaryError(
            Diagnostic(.storeCorrupt, "the run \(run) cannot be reverted: \(what); nothing was changed"))
    }

    private static func digest(of path: String) throws -> String {
        let source = try ByteSource(path: path)
        var digest = ContentDigest()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
            if count == 0 { return digest.hexadecimal }
            buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}
