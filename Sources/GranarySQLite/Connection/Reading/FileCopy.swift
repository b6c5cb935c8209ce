internal import Foundation
internal import GranaryBase

/// A copy of a database file, its journal and its log, in a private folder.
///
/// `deinit` removes the folder. If the process is killed, the next copy in the same temporary folder removes it
/// (``PartialFile``).
final class FileCopy {
    let folder: String
    /// The path of the copied database file.
    let path: String
    /// The size of the copied database file after its journal is played back.
    private(set) var length: Int64 = 0

    private static let chunk = 1 << 20

    private let partial: PartialFile

    private init(origin: SQLiteError.Origin) throws(SQLiteError) {
        let target = FileManager.default.temporaryDirectory.appending(path: "granary-copy").path(percentEncoded: false)
        do throws(GranaryError) {
            partial = try PartialFile.createFolder(for: target, permissions: 0o700)
        } catch {
            throw Self.failure(target, origin)
        }
        folder = partial.path
        path = folder + "/Store.sqlite"
    }

    deinit { remove() }

    /// Copies a database file with its journal and its log.
    ///
    /// - Parameter file: an absolute path without links.
    /// - Returns: nil if the file was changed during the copy, or a connection of this process has it open now.
    /// - Throws: if a file cannot be read or the copy cannot be written.
    static func make(of file: String, origin: SQLiteError.Origin) throws(SQLiteError) -> FileCopy? {
        guard let before = try FileSet(file, origin: origin) else { return nil }
        if before.isFresh { usleep(20_000) }
        let copy = try FileCopy(origin: origin)
        let identity = before.database.identity
        let parts: [(String, FileStatus?)] = [
            ("", before.database), ("-journal", before.journal), ("-wal", before.log),
        ]
        for (suffix, status) in parts {
            guard let status, suffix.isEmpty || status.size > 0 else { continue }
            guard try copy.add(suffix, of: file, identity, origin) else { return nil }
        }
        guard try FileSet(file, origin: origin) == before, !OpenFile.isOpen(identity) else { return nil }
        try copy.detachSuperJournal(origin)
        return copy
    }

    /// Completes the copy after SQLite has opened all files. On Linux the files are unlinked, so that none remain
    /// however this process ends. Apple's SQLite reports an error for unlinked files.
    func complete() {
        length = FileStatus(path: path)?.size ?? 0
        #if os(Linux)
            remove()
        #endif
    }

    private func remove() {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
        rmdir(folder)
    }

    /// - Returns: false if the file was removed.
    private func add(
        _ suffix: String, of file: String, _ database: FileIdentity, _ origin: SQLiteError.Origin
    ) throws(SQLiteError) -> Bool {
        guard let source = SideDescriptor(file + suffix, of: database) else {
            if errno == ENOENT { return false }
            throw SQLiteError(.cannotOpen, "\(file)\(suffix) cannot be read: \(errnoText())", origin: origin)
        }
        let target = open(path + suffix, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard target >= 0 else { throw Self.failure(folder, origin) }
        defer { close(target) }
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(source.number, $0.baseAddress, $0.count) }
            if count == 0 { return true }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw SQLiteError(.inputOutput, "\(file)\(suffix) cannot be read: \(errnoText())", origin: origin)
            }
            var written = 0
            while written < count {
                let part = buffer.withUnsafeBytes {
                    write(target, UnsafeRawBufferPointer(rebasing: $0[written..<count]).baseAddress, count - written)
                }
                if part < 0, errno == EINTR { continue }
                guard part > 0 else { throw Self.failure(folder, origin) }
                written += part
            }
        }
    }

    private static func failure(_ folder: String, _ origin: SQLiteError.Origin) -> SQLiteError {
        SQLiteError(
            .inputOutput,
            "it can only be read from a copy, and none can be made in \(folder): \(errnoText()); set TMPDIR to use another folder",
            origin: origin)
    }

    /// Removes the reference to a super-journal from the copied journal.
    ///
    /// The journal of a transaction over several databases ends with the name of a super-journal, which SQLite deletes
    /// after it has played the journal back. That would be the super-journal of the original, or any file that a
    /// hostile journal names. Without its last 8 bytes, it is an ordinary journal, which is also played back.
    ///
    /// If the super-journal does not exist, the transaction was committed. The copied journal is then left unchanged,
    /// and SQLite ignores it.
    private func detachSuperJournal(_ origin: SQLiteError.Origin) throws(SQLiteError) {
        let descriptor = open(path + "-journal", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 16 else { return }
        func bytes(_ count: Int, at offset: Int) -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: count)
            let found = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
            return Array(buffer.prefix(max(0, found)))
        }
        let tail = bytes(16, at: Int(end) - 16)
        guard tail.count == 16, Array(tail[8...]) == magic else { return }
        let length = tail[..<4].reduce(0) { $0 << 8 | Int($1) }
        // SQLite ignores longer names.
        guard length > 0, length <= 4096, length <= Int(end) - 16 else { return }
        let name = bytes(length, at: Int(end) - 16 - length).map { CChar(truncatingIfNeeded: $0) } + [0]
        var status = stat()
        guard stat(name, &status) == 0 else { return }
        guard ftruncate(descriptor, end - 8) == 0 else { throw Self.failure(folder, origin) }
    }
}
