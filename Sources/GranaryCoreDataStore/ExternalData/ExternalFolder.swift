import Foundation
import GranaryBase
import GranaryCoordination

/// The folder of a store's external files, created with the first file
/// (docs/core-data/sqlite-layout.md#external-storage).
struct ExternalFolder {
    private let storePath: String
    private let support: String
    let path: String
    /// The permissions of the external files, which are those of the store's file.
    private let mode: mode_t
    private var isReady = false
    /// Whether this object created the folder.
    private(set) var isNew = false

    /// - Parameters:
    ///   - storePath: the final path of the store.
    ///   - databasePath: the present path of its file.
    init(ofStore storePath: String, databasePath: String) {
        self.storePath = storePath
        support = SQLiteStore.supportFolder(ofStore: storePath)
        path = ExternalData.folder(ofStore: storePath)
        mode = mode_t(SQLiteStore.permissions(ofStore: databasePath, otherwise: 0o600))
    }

    /// Writes and syncs a file under a temporary name, then renames it.
    ///
    /// - Throws: ``GranaryError``: `inputOutput`; `refused` for a value above ``RowBatch/fileLimit``.
    mutating func add(_ value: UnsafeBufferPointer<UInt8>, as name: String) throws(GranaryError) {
        guard value.count <= RowBatch.fileLimit else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded,
                    "\(storePath): \(value.count) bytes of external data are more than the limit of "
                        + "\(RowBatch.fileLimit)"))
        }
        let folder = self
        try build(name) { descriptor throws(GranaryError) in
            guard Self.put(UnsafeRawBufferPointer(value), into: descriptor) else { throw folder.failure(errnoText()) }
        }
    }

    /// Copies a file in pieces, under a temporary name, syncs it, then renames it.
    ///
    /// - Throws: ``GranaryError``: `inputOutput`; `unreadable` if the source is missing; `refused` for a file that is
    ///   larger than ``RowBatch/fileLimit``.
    mutating func add(contentsOf source: String, as name: String) throws(GranaryError) {
        let folder = self
        try build(name) { descriptor throws(GranaryError) in
            let bytes = try ByteSource(path: source)
            var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
            var total = 0
            while true {
                let count = try bytes.read(into: &piece)
                guard count > 0 else { return }
                total += count
                guard total <= RowBatch.fileLimit else {
                    throw GranaryError(
                        Diagnostic(
                            .limitExceeded,
                            "\(source) has more than \(RowBatch.fileLimit) bytes, the limit for external data"))
                }
                let isWritten = piece.withUnsafeBytes { buffer in
                    Self.put(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)), into: descriptor)
                }
                guard isWritten else { throw folder.failure(errnoText()) }
            }
        }
    }

    private static let pieceBytes = 1 << 18

    /// Creates a file under a temporary name, fills it with `body`, syncs it and renames it.
    private mutating func build(
        _ name: String, _ body: (_ descriptor: Int32) throws(GranaryError) -> Void
    ) throws(GranaryError) {
        let file = path + "/" + name
        let temporary = file + ".partial"
        let descriptor = try create(temporary)
        // The umask may have removed permissions that the store has.
        fchmod(descriptor, mode)
        do throws(GranaryError) {
            try body(descriptor)
            guard fsync(descriptor) == 0 else { throw failure(errnoText()) }
        } catch {
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

    /// Links or copies a file into the folder. Returns false if the name is taken.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    mutating func adopt(_ source: String, as name: String) throws(GranaryError) -> Bool {
        if !isReady { try makeFolders() }
        guard !PublishedFile.isTaken(path + "/" + name) else { return false }
        try PublishedFile.linkOrCopy(source, as: path + "/" + name)
        return true
    }

    /// Links or copies files of a store into the folder of another one.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    static func copy(_ names: [String], ofStore source: String, toStore target: String) throws(GranaryError) {
        let folder = ExternalData.folder(ofStore: source)
        var copies = ExternalFolder(ofStore: target, databasePath: source)
        for name in names where PublishedFile.isTaken(folder + "/" + name) {
            // A name that is taken is a file of an earlier copy of the same store.
            _ = try copies.adopt(folder + "/" + name, as: name)
        }
        if !names.isEmpty { copies.sync() }
    }

    /// Removes the named files of an unpublished store. Other files in the folder may belong to another store.
    static func discard(_ names: [String], ofStore path: String) {
        guard !names.isEmpty else { return }
        let folder = ExternalFolder(ofStore: path, databasePath: path)
        for name in names { folder.remove(name) }
        folder.removeIfEmpty()
    }

    func remove(_ name: String) { unlink(path + "/" + name) }

    /// Removes the folders if they are empty: `rmdir` fails for others.
    func removeIfEmpty() {
        rmdir(path)
        rmdir(support)
    }

    /// Syncs the folder, so that its file names survive a crash.
    func sync() { PublishedFile.syncFolder(of: path + "/.") }

    private mutating func create(_ file: String) throws(GranaryError) -> Int32 {
        // Another process may remove the empty folder at the same time. Then create it again.
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
        // Users who may read the store may search the folder.
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
            .inputOutput, "\(storePath): cannot write the folder for its external data, \(path): \(reason)")
    }

    private static func put(_ bytes: UnsafeRawBufferPointer, into descriptor: Int32) -> Bool {
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
    /// The path of a store's support folder: `.NAME_SUPPORT` in the same folder, where NAME is the store's name without
    /// its extension.
    ///
    /// Links in the path are not resolved. Stores in the same folder whose names differ only in the extension share a
    /// support folder.
    package static func supportFolder(ofStore path: String) -> String {
        // By bytes: as a `Character`, a slash before a combining mark is not equal to a slash.
        let bytes = path.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
        let name = withoutExtension(bytes[start...])
        return String(decoding: bytes[..<start], as: UTF8.self) + ".\(String(decoding: name, as: UTF8.self))_SUPPORT"
    }

    /// Removes the extension by Foundation's rules: text without a space after the last dot, and text before the dot.
    private static func withoutExtension(_ name: Substring.UTF8View) -> Substring.UTF8View {
        let dot = UInt8(ascii: ".")
        guard let place = name.lastIndex(of: dot), place != name.startIndex, name.last != dot,
            !name.starts(with: [dot, dot]), !name[place...].contains(UInt8(ascii: " "))
        else { return name }
        return name[..<place]
    }
}
