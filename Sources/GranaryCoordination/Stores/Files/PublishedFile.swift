import Foundation
package import GranaryBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A finished file's way from its temporary name to its own.
package enum PublishedFile {
    /// What SQLite puts beside a database file.
    package static let companionSuffixes = ["-journal", "-wal", "-shm"]

    /// Syncs the file, then gives it its name: after a crash there is the whole file or none.
    ///
    /// A hard link rather than a rename gives the name, because it fails where the name was taken meanwhile; file systems
    /// without hard links get a look and a rename.
    ///
    /// - Throws: ``GranaryError``: `uncreatable` when there is something of that name; `inputOutput`. The temporary file
    ///   is then still there.
    package static func publish(_ temporary: String, as path: String) throws(GranaryError) {
        try sync(temporary, for: path)
        if link(temporary, path) == 0 {
            unlink(temporary)
        } else if errno == EEXIST || isTaken(path) {
            throw GranaryError(.uncreatable, "\(path): was created by somebody else meanwhile; nothing was written")
        } else if rename(temporary, path) != 0 {
            throw GranaryError(.uncreatable, "\(path): cannot be created: \(errnoText())")
        }
        syncFolder(of: path)
    }

    /// Whether there is anything of that name, be it a link that leads nowhere.
    package static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether it is a link, wherever that leads.
    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Removes a file; one that is not there is no error.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    package static func remove(_ path: String) throws(GranaryError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw GranaryError(.inputOutput, "\(path): cannot be removed: \(errnoText())")
        }
    }

    /// Removes a database file under a temporary name and its companions.
    package static func discard(_ temporary: String) {
        for suffix in [""] + companionSuffixes { unlink(temporary + suffix) }
    }

    /// So that a commit survives a crash for certain. By default SQLite syncs the database only: the journal whose removal
    /// is the commit could be back after a power cut, and some builds leave the write-ahead log to itself.
    package static func syncCommit(of path: String) {
        // The journals lie beside the file itself, not beside a link to it.
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
    /// - Parameter path: the name that the user knows.
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

    /// A second name for a file; where the file system has none, a synced copy.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    package static func linkOrCopy(_ source: String, as target: String) throws(GranaryError) {
        if link(source, target) == 0 { return }
        do { try FileManager.default.copyItem(atPath: source, toPath: target) } catch {
            unlink(target)
            throw GranaryError(.inputOutput, "\(target): cannot be written: \(error)", underlying: error)
        }
        try sync(target, for: target)
    }

    private static func failure(_ path: String) -> GranaryError {
        GranaryError(.inputOutput, "\(path): cannot be written: \(errnoText())")
    }

    /// So that the new name itself survives a crash. Where a folder cannot be synced there is nothing to be done.
    package static func syncFolder(of path: String) {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let descriptor = open(folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
