import GranaryBase
import GranaryCoordination

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder with the files of a store's external data, made when the first one comes (sqlite-layout §8).
struct ExternalFolder {
    private let storePath: String
    private let support: String
    let path: String
    /// The permissions of the store's own file: who may not read that may not read its values either.
    private let mode: mode_t
    private var isReady = false
    /// Whether it was not there before.
    private(set) var isNew = false

    /// - Parameters:
    ///   - storePath: where the store lies in the end.
    ///   - databasePath: where its file lies now.
    init(ofStore storePath: String, databasePath: String) {
        self.storePath = storePath
        support = SQLiteStore.supportFolder(ofStore: storePath)
        path = ExternalData.folder(ofStore: storePath)
        var status = stat()
        let isThere = stat(databasePath, &status) == 0
        mode = (isThere ? status.st_mode & 0o666 : 0) | 0o600
    }

    /// Writes a file and syncs it. It has its name only when it is whole.
    ///
    /// - Throws: ``GranaryError``: `inputOutput`; `refused` for a value that could not be read back.
    mutating func add(_ value: UnsafeBufferPointer<UInt8>, as name: String) throws(GranaryError) {
        guard value.count <= RowBatch.fileLimit else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded,
                    "\(storePath): \(value.count) bytes of external data are more than the limit of "
                        + "\(RowBatch.fileLimit)"))
        }
        let file = path + "/" + name
        let temporary = file + ".partial"
        let descriptor = try create(temporary)
        // The umask may have taken away what the store has.
        fchmod(descriptor, mode)
        guard Self.put(value, into: descriptor), fsync(descriptor) == 0 else {
            let error = failure(errnoText())
            close(descriptor)
            unlink(temporary)
            throw error
        }
        guard close(descriptor) == 0, rename(temporary, file) == 0 else {
            let error = failure(errnoText())
            unlink(temporary)
            throw error
        }
    }

    /// Gives a whole file from elsewhere a name in the folder; false where the name is taken.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    mutating func adopt(_ source: String, as name: String) throws(GranaryError) -> Bool {
        if !isReady { try makeFolders() }
        guard !PublishedFile.isTaken(path + "/" + name) else { return false }
        try PublishedFile.linkOrCopy(source, as: path + "/" + name)
        return true
    }

    /// Removes the files of a store that never got its name, and those of nobody else: another store may have taken it.
    static func discard(_ names: [String], ofStore path: String) {
        guard !names.isEmpty else { return }
        let folder = ExternalFolder(ofStore: path, databasePath: path)
        for name in names { folder.remove(name) }
        folder.removeIfEmpty()
    }

    func remove(_ name: String) { unlink(path + "/" + name) }

    /// Removes the folders where nothing is in them: the system refuses the others.
    func removeIfEmpty() {
        rmdir(path)
        rmdir(support)
    }

    /// So that the names in it survive a crash.
    func sync() { PublishedFile.syncFolder(of: path + "/.") }

    private mutating func create(_ file: String) throws(GranaryError) -> Int32 {
        // Somebody else may remove the empty folder at the same moment; then it is made again.
        for _ in 0..<10 {
            if !isReady { try makeFolders() }
            let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if descriptor >= 0 { return descriptor }
            guard errno == ENOENT else { break }
            isReady = false
        }
        throw failure(errnoText())
    }

    private mutating func makeFolders() throws(GranaryError) {
        // Who may read the store may look into the folder.
        let folderMode = mode | (mode & 0o444) >> 2
        for folder in [support, path] {
            if mkdir(folder, folderMode) == 0 {
                chmod(folder, folderMode)
                PublishedFile.syncFolder(of: folder)
                isNew = true
            } else if errno != EEXIST, errno != ENOENT {
                throw failure(errnoText())
            }
        }
        isReady = true
    }

    private func failure(_ reason: String) -> GranaryError {
        GranaryError(
            .inputOutput, "\(storePath): the folder for its external data, \(path), cannot be written: \(reason)")
    }

    private static func put(_ value: UnsafeBufferPointer<UInt8>, into descriptor: Int32) -> Bool {
        let bytes = UnsafeRawBufferPointer(value)
        var start = 0
        while start < bytes.count {
            let count = write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            start += count
        }
        return true
    }
}

extension SQLiteStore {
    /// Where the files lie that belong to a store: `.NAME_SUPPORT` beside it, NAME without its extension.
    ///
    /// Beside the path as it is given, also where that is a link. Stores in one folder whose names differ in the extension
    /// only have it together: who removes it with one of them takes the other's files too.
    package static func supportFolder(ofStore path: String) -> String {
        // By bytes: a slash is one even where a combining character follows it.
        let bytes = path.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
        let name = withoutExtension(bytes[start...])
        return String(decoding: bytes[..<start], as: UTF8.self) + ".\(String(decoding: name, as: UTF8.self))_SUPPORT"
    }

    /// As Foundation takes an extension: something behind the last dot, without a space, and something before it.
    private static func withoutExtension(_ name: Substring.UTF8View) -> Substring.UTF8View {
        let dot = UInt8(ascii: ".")
        guard let place = name.lastIndex(of: dot), place != name.startIndex, name.last != dot,
            !name.starts(with: [dot, dot]), !name[place...].contains(UInt8(ascii: " "))
        else { return name }
        return name[..<place]
    }
}
