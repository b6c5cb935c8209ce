import Foundation
import GranaryBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An archive's file: made whole or not at all, replaced whole or not at all, and only by who knows its last state.
package enum ArchiveFile {
    /// - Throws: ``GranaryError`` with code `unreadable` when there is no file of that name.
    static func stamp(of path: String) throws(GranaryError) -> FileStamp {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw GranaryError(.unreadable, "\(path): cannot be opened: \(errnoText())")
        }
        // Opening a pipe would wait for its other end.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw GranaryError(.unreadable, "\(path): is no file")
        }
        return FileStamp(status)
    }

    /// The file that links lead to, so that a save replaces the file and not the link.
    package static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Makes a file under a temporary name, synced, then gives it its name.
    ///
    /// - Parameter write: writes all, and finishes the output.
    /// - Returns: the state that the file is in.
    /// - Throws: ``GranaryError``: `uncreatable` when there is something of that name, or it cannot be made; `inputOutput`.
    static func create(_ path: String, _ write: (ByteOutput) throws -> Void) throws -> FileStamp {
        try building(path, permissions: 0o666) { partial in
            try write(ByteOutput(partial))
            // Before it gets its name: from then on the name may be somebody else's.
            guard let stamp = FileStamp(path: partial.path) else { throw failure(path) }
            try PublishedFile.publish(partial.path, as: path)
            return stamp
        }
    }

    /// Replaces the file, which is still in the state `known`, by a synced one with the same permissions.
    ///
    /// Two that save at once are kept apart by a lock on the file itself. It goes with the file that is replaced: who
    /// waited for it would find another file there, so nobody waits.
    ///
    /// - Parameter write: writes all, and finishes the output.
    /// - Returns: the state that the file is in now.
    /// - Throws: ``GranaryError``: `busy` when somebody else is writing it or has written it since; `inputOutput`. The
    ///   file is then as it was.
    static func replace(
        _ path: String, known: FileStamp, _ write: (ByteOutput) throws -> Void
    ) throws -> FileStamp {
        try locked(path, known: known) { status in
            let stamp: FileStamp = try building(path, permissions: UInt32(status.st_mode) & 0o777) { partial in
                try write(ByteOutput(partial))
                // Before the rename: from then on the name may be somebody else's again.
                guard chmod(partial.path, status.st_mode & 0o7777) == 0, let stamp = FileStamp(path: partial.path),
                    rename(partial.path, path) == 0
                else { throw failure(path) }
                return stamp
            }
            PublishedFile.syncFolder(of: path)
            return stamp
        }
    }

    /// Removes the file, which is still in the state `known`.
    ///
    /// - Throws: ``GranaryError``: `busy` when somebody else is writing it or has written it since; `inputOutput`.
    static func remove(_ path: String, known: FileStamp) throws(GranaryError) {
        try converting { try locked(path, known: known) { _ in try PublishedFile.remove(path) } }
        PublishedFile.syncFolder(of: path)
    }

    /// Runs `body` while the file is locked and in the state `known`.
    private static func locked<Result>(
        _ path: String, known: FileStamp, _ body: (stat) throws -> Result
    ) throws -> Result {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { throw overtaken(path, "is no longer there") }
            throw failure(path)
        }
        // Closing lets go of the lock, too.
        defer { close(descriptor) }
        // A file system without locks is none that two programs should save on at once.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EAGAIN {
            throw GranaryError(.busy, "\(path): is being written by another process; nothing was written")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        guard FileStamp(status) == known, FileStamp(path: path) == known else {
            throw overtaken(path, "was changed by another process since it was read")
        }
        return try body(status)
    }

    /// Runs `body` with a partial file. If `body` throws, the file is removed.
    private static func building<Result>(
        _ path: String, permissions: UInt32, _ body: (PartialFile) throws -> Result
    ) throws -> Result {
        let partial = try PartialFile.create(for: path, permissions: permissions)
        do {
            return try body(partial)
        } catch let error as GranaryError {
            unlink(partial.path)
            // The user knows the file by its own name.
            var renamed = error
            renamed.message.replace(partial.path, with: path)
            throw renamed
        } catch {
            unlink(partial.path)
            throw error
        }
    }

    private static func overtaken(_ path: String, _ what: String) -> GranaryError {
        GranaryError(.busy, "\(path): \(what); nothing was written, open it again")
    }

    private static func failure(_ path: String) -> GranaryError {
        GranaryError(.inputOutput, "\(path): cannot be written: \(errnoText())")
    }
}
