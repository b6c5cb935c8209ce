import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// `STORE.runs/ID`: what is needed to take a run back. It has its name only when it is whole.
struct RunFolder {
    let storePath: String
    let run: String

    /// - Throws: ``GranaryError`` with code `usage` for a name that is none of a run: it becomes part of a path.
    init(storePath: String, run: String) throws(GranaryError) {
        let isSound = run.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
        }
        guard isSound, (1...64).contains(run.utf8.count) else {
            throw GranaryError(
                .usage, "\"\(Diagnostic.shortened(run))\" is no name of a run; they look like run-3")
        }
        self.storePath = storePath
        self.run = run
    }

    static func root(ofStore path: String) -> String { path + ".runs" }

    private var root: String { Self.root(ofStore: storePath) }
    var path: String { root + "/" + run }
    /// Its name in the making.
    var partialPath: String { path + ".partial" }

    /// The database with the before-images.
    var database: String { path + "/before.sqlite" }
    var partialDatabase: String { partialPath + "/before.sqlite" }

    /// A file with external data that the run has removed.
    func keptFile(_ name: String) -> String { path + "/external/" + name }

    var isThere: Bool { PublishedFile.isTaken(database) }

    // MARK: Making it

    /// Makes the folder under its temporary name; who may not read the store may not read it either.
    ///
    /// - Parameter databasePath: where the store's file lies now.
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    func begin(databasePath: String) throws(GranaryError) {
        Self.remove(partialPath)
        var status = stat()
        let isThere = stat(databasePath, &status) == 0
        let mode: mode_t = (isThere ? status.st_mode & 0o666 : 0) | 0o600
        let folderMode = mode | (mode & 0o444) >> 2
        for folder in [root, partialPath, partialPath + "/external"] {
            if mkdir(folder, folderMode) == 0 {
                // The umask may have taken away what the store has.
                chmod(folder, folderMode)
            } else if errno != EEXIST {
                throw GranaryError(.uncreatable, "\(folder): cannot be created: \(errnoText())")
            }
        }
    }

    /// Keeps a file with external data that the run is about to remove. One that is missing was so before.
    func keep(_ name: String) throws(GranaryError) {
        let source = ExternalData.file(name, ofStore: storePath)
        guard PublishedFile.isTaken(source) else { return }
        try PublishedFile.linkOrCopy(source, as: partialPath + "/external/" + name)
    }

    /// Records the digests, syncs the files and renames the folder to its name.
    func finish() throws(GranaryError) {
        // SQLite created the file with its default mode; the folder has the store's mode.
        var status = stat()
        if stat(partialPath, &status) == 0 { chmod(partialDatabase, status.st_mode & 0o666) }
        try writeDigests()
        try PublishedFile.sync(partialDatabase, for: database)
        for folder in [partialPath + "/external/.", partialPath + "/."] { PublishedFile.syncFolder(of: folder) }
        // What is there of that name belongs to no run of the store.
        Self.remove(path)
        guard rename(partialPath, path) == 0 else {
            throw GranaryError(.uncreatable, "\(path): cannot be created: \(errnoText())")
        }
        for folder in [path, root] { PublishedFile.syncFolder(of: folder) }
    }

    // MARK: Removing it

    /// Removes what was begun and has not got its name.
    func removePartial() {
        Self.remove(partialPath)
        rmdir(root)
    }

    func remove() {
        Self.remove(partialPath)
        Self.remove(path)
        rmdir(root)
    }

    /// Removes the runs of a store that is gone, and the folder where nothing else is in it.
    static func removeAll(ofStore path: String) {
        let root = root(ofStore: path)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [] {
            remove(root + "/" + name)
        }
        rmdir(root)
    }

    /// The database goes first: without it there is no run. What is not ours stays, and its folder.
    private static func remove(_ folder: String) {
        PublishedFile.discard(folder + "/before.sqlite")
        unlink(folder + "/" + digestsName)
        let external = folder + "/external"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: external)) ?? []
        where UUID(uuidString: name) != nil {
            unlink(external + "/" + name)
        }
        rmdir(external)
        rmdir(folder)
    }
}

/// The SHA-256 digests of a run's files, in the file `digests`: a line `DIGEST NAME` for each. A revert refuses files that have
/// changed.
extension RunFolder {
    static let digestsName = "digests"
    private static let sizeLimit = 1 << 30

    /// Call before the folder is renamed, when its database is closed and its external files are complete.
    func writeDigests() throws(GranaryError) {
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

    var hasDigests: Bool { PublishedFile.isTaken(path + "/" + Self.digestsName) }

    /// - Throws: ``GranaryError`` with code `refused` if digests are missing or a file has another digest.
    func checkDigests() throws(GranaryError) {
        let file = path + "/" + Self.digestsName
        guard let bytes = try? ByteSource(path: file).readAll(limit: Self.sizeLimit) else {
            throw damaged("\(file) is missing")
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
            Diagnostic(.storeCorrupt, "the run \(run) cannot be taken back: \(what); nothing was changed"))
    }

    private static func digest(of path: String) throws(GranaryError) -> String {
        let source = try ByteSource(path: path)
        var digest = ContentDigest()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var result: Result<Int, GranaryError> = .success(0)
            buffer.withUnsafeMutableBytes { bytes in
                do throws(GranaryError) { result = .success(try source.read(into: bytes)) } catch {
                    result = .failure(error)
                }
            }
            let count = try result.get()
            if count == 0 { return digest.hexadecimal }
            buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}
