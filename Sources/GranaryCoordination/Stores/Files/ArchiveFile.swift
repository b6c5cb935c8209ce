import Foundation
package import GranaryBase

/// Creates, replaces and removes the file of an archive atomically, and only if the caller knows its current state.
package enum ArchiveFile {
    /// - Throws: ``GranaryError`` with code `unreadable` if there is no regular file of that name.
    package static func stamp(of path: String) throws(GranaryError) -> FileStatus {
        guard let status = FileStatus(path: path) else {
            throw GranaryError(.unreadable, "\(path): cannot be opened: \(errnoText())")
        }
        // Opening a pipe would block.
        guard status.isRegular else { throw GranaryError(.unreadable, "\(path): is not a regular file") }
        return status
    }

    /// Resolves symbolic links, so that a save replaces the file and not the link.
    package static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Creates a file under a temporary name, syncs it and renames it.
    ///
    /// - Parameter write: writes the contents and finishes the output.
    /// - Returns: the state of the file.
    /// - Throws: ``GranaryError``: `uncreatable` if the name is taken or the file cannot be created; `inputOutput`.
    package static func create(_ path: String, _ write: (ByteOutput) throws -> Void) throws -> FileStatus {
        try building(path, permissions: 0o666) { partial in
            try write(ByteOutput(partial))
            // After the rename, another process may replace the file.
            guard let stamp = FileStatus(path: partial.path) else { throw failure(path) }
            try PublishedFile.publish(partial.path, as: path)
            return stamp
        }
    }

    /// Replaces the file, if its state is still `known`, by a synced file with the same permissions.
    ///
    /// A lock on the file itself excludes simultaneous saves. The lock does not block, because the locked file is
    /// replaced: a waiting process would then hold a lock on the old file.
    ///
    /// - Parameter write: writes the contents and finishes the output.
    /// - Returns: the new state of the file.
    /// - Throws: ``GranaryError``: `busy` if another process is writing the file or has written it meanwhile;
    ///   `inputOutput`. The file is unchanged then.
    package static func replace(
        _ path: String, known: FileStatus, _ write: (ByteOutput) throws -> Void
    ) throws -> FileStatus {
        try locked(path, known: known) { status in
            let stamp: FileStatus = try building(path, permissions: UInt32(status.st_mode) & 0o777) { partial in
                try write(ByteOutput(partial))
                // After the rename, another process may replace the file.
                guard chmod(partial.path, status.st_mode & 0o7777) == 0, let stamp = FileStatus(path: partial.path),
                    rename(partial.path, path) == 0
                else { throw failure(path) }
                return stamp
            }
            PublishedFile.syncFolder(of: path)
            return stamp
        }
    }

    /// Removes the file if its state is still `known`.
    ///
    /// - Throws: ``GranaryError``: `busy` if another process is writing the file or has written it meanwhile;
    ///   `inputOutput`.
    package static func remove(_ path: String, known: FileStatus) throws(GranaryError) {
        try converting { try locked(path, known: known) { _ in try PublishedFile.remove(path) } }
        PublishedFile.syncFolder(of: path)
    }

    /// Takes the lock; false if another process holds it. A program that this process is starting holds a released lock
    /// until its descriptors are closed, so several attempts are made.
    private static func lock(_ descriptor: Int32) -> Bool {
        for attempt in 0..<20 {
            if attempt > 0 { usleep(5000) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EAGAIN { return true }
        }
        return false
    }

    /// Runs `body` while the file is locked and in the state `known`.
    private static func locked<Result>(
        _ path: String, known: FileStatus, _ body: (stat) throws -> Result
    ) throws -> Result {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { throw overtaken(path, "no longer exists") }
            throw failure(path)
        }
        // Closing also releases the lock.
        defer { close(descriptor) }
        // Other errors are ignored: two programs should not save at once on a file system without locks.
        guard lock(descriptor) else {
            throw GranaryError(.busy, "\(path): is being written by another process; nothing was written")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        guard FileStatus(status) == known, FileStatus(path: path) == known else {
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
            // The user knows only the final name.
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
