import Foundation
package import GranaryBase

/// Moves finished files from their temporary names to their final names.
package enum PublishedFile {
    /// The suffixes of the files that SQLite creates beside a database file.
    package static let companionSuffixes = ["-journal", "-wal", "-shm"]

    /// Syncs a file and gives it its final name. After a crash, either the whole file exists or none.
    ///
    /// A file that has the name is not replaced.
    ///
    /// - Throws: ``GranaryError``: `uncreatable` if the name is taken; `inputOutput`. The temporary file still exists
    ///   then.
    package static func publish(_ temporary: String, as path: String) throws(GranaryError) {
        try sync(temporary, for: path)
        guard FileNames.moveToFreeName(temporary, path) else {
            guard errno == EEXIST else {
                throw GranaryError(.uncreatable, "\(path): cannot be created: \(errnoText())")
            }
            throw GranaryError(.uncreatable, "\(path): was created by another process meanwhile; nothing was written")
        }
        syncFolder(of: path)
    }

    /// Whether the name is taken, even by a dangling link.
    package static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether the path is a symbolic link.
    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Removes a file; does nothing if it does not exist.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    package static func remove(_ path: String) throws(GranaryError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw GranaryError(.inputOutput, "\(path): cannot be removed: \(errnoText())")
        }
    }

    /// Removes a temporary database file and its companion files.
    package static func discard(_ temporary: String) {
        for suffix in [""] + companionSuffixes { unlink(temporary + suffix) }
    }

    /// Syncs a commit so that it survives a crash. By default SQLite syncs only the database: after a power cut the
    /// removed journal could reappear, and some builds do not sync the write-ahead log.
    package static func syncCommit(of path: String) {
        // The journals are beside the file itself, not beside a link to it.
        guard let real = realpath(path, nil) else { return }
        defer { free(real) }
        let file = String(cString: real)
        let log = open(file + "-wal", O_RDONLY | O_CLOEXEC)
        if log >= 0 {
            fsync(log)
            close(log)
        }
        syncFolder(of: file)
    }

    /// Syncs a file's bytes.
    ///
    /// - Parameter path: the file's name in errors.
    package static func sync(_ temporary: String, for path: String) throws(GranaryError) {
        let descriptor = open(temporary, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        guard fsync(descriptor) == 0 else {
            let error = failure(path)
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw failure(path) }
    }

    /// Creates a hard link to a file, or a synced copy if the file system has no hard links. A file that has the name is
    /// not changed.
    ///
    /// - Throws: ``GranaryError``: `uncreatable` if the name is taken; `inputOutput`.
    package static func linkOrCopy(_ source: String, as target: String) throws(GranaryError) {
        if link(source, target) == 0 { return }
        guard errno != EEXIST else { throw GranaryError(.uncreatable, "\(target): already exists") }
        let copy = "\(target).\(UUID().uuidString).partial"
        do { try FileManager.default.copyItem(atPath: source, toPath: copy) } catch {
            unlink(copy)
            throw GranaryError(.inputOutput, "\(target): cannot be written: \(error)", underlying: error)
        }
        do throws(GranaryError) { try publish(copy, as: target) } catch {
            unlink(copy)
            throw error
        }
    }

    private static func failure(_ path: String) -> GranaryError {
        GranaryError(.inputOutput, "\(path): cannot be written: \(errnoText())")
    }

    /// Syncs the folder of a file so that a new name survives a crash. Folders that cannot be synced are ignored.
    package static func syncFolder(of path: String) {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let descriptor = open(folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
