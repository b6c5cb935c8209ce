import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file or folder that is not complete: it has a temporary name beside its target, `TARGET.UUID.partial`.
///
/// The object holds an exclusive lock (`flock`) on it. The kernel releases the lock when the process ends, however it ends.
/// A later run therefore recognises what a killed run left: a name of this form without a lock. ``create(for:permissions:)``
/// and ``createFolder(for:permissions:)`` remove such files of the same target first.
///
/// The object does not remove the file: its owner renames or removes it. The lock is released with the object.
package final class PartialFile {
    /// The temporary name.
    package let path: String
    /// Open for reading and writing; of a folder, for reading. Closed with the object.
    package let descriptor: Int32

    private static let suffix = ".partial"

    /// A name for the complete file where the target's name is taken: `TARGET.UUID`. It is never taken for an abandoned file.
    package var nameAside: String { path.hasSuffix(Self.suffix) ? String(path.dropLast(Self.suffix.count)) : path }

    private init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Creates an empty file.
    ///
    /// - Parameters:
    ///   - permissions: the mode; the process's umask is applied.
    ///   - removingAbandoned: false where abandoned files of the target are evaluated by ``abandoned(of:_:)``.
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    package static func create(
        for target: String, permissions: UInt32 = 0o666, removingAbandoned: Bool = true
    ) throws(GranaryError) -> PartialFile {
        if removingAbandoned { removeAbandoned(of: target) }
        return try locked(target) { path in
            open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(truncatingIfNeeded: permissions))
        }
    }

    /// Creates an empty folder.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    package static func createFolder(
        for target: String, permissions: UInt32 = 0o777
    ) throws(GranaryError) -> PartialFile {
        removeAbandoned(of: target)
        return try locked(target) { path in
            guard mkdir(path, mode_t(truncatingIfNeeded: permissions)) == 0 else { return -1 }
            return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
    }

    private static func locked(
        _ target: String, _ make: (String) -> Int32
    ) throws(GranaryError) -> PartialFile {
        // Another process may take the new file for an abandoned one before the lock is set. Then the next name is tried.
        for _ in 0..<10 {
            let path = "\(target).\(UUID().uuidString)\(suffix)"
            let descriptor = make(path)
            guard descriptor >= 0 else { break }
            var status = stat()
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                // A file system without locks: the file is used, and no other run can tell that it is abandoned.
                if errno != EWOULDBLOCK { return PartialFile(path: path, descriptor: descriptor) }
            } else if stat(path, &status) == 0 {
                return PartialFile(path: path, descriptor: descriptor)
            }
            close(descriptor)
        }
        throw GranaryError(.uncreatable, "\(target): cannot be created: \(errnoText())")
    }

    /// Removes the partial files and folders of a target whose processes have ended.
    package static func removeAbandoned(of target: String) { abandoned(of: target) { _ in true } }

    /// Calls `body` with the path of each partial file of a target whose process has ended, and removes the file where `body`
    /// returns true. The file is locked meanwhile.
    package static func abandoned(of target: String, _ body: (String) -> Bool) {
        for path in names(of: target) {
            guard let descriptor = lockIfAbandoned(path) else { continue }
            if body(path) { removeItem(path) }
            close(descriptor)
        }
    }

    /// The names `TARGET.UUID.partial` in the target's folder.
    private static func names(of target: String) -> [String] {
        let slash = target.lastIndex(of: "/")
        let folder = slash.map { String(target[...$0]) } ?? ""
        let prefix = (slash.map { target[target.index(after: $0)...] } ?? target[...]) + "."
        return (FolderNames(folder.isEmpty ? "." : folder)?.names ?? []).filter { name in
            name.hasPrefix(prefix) && name.hasSuffix(suffix)
                && UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(suffix.count))) != nil
        }.map { folder + $0 }
    }

    /// A locked descriptor of a partial file whose process has ended; nil where the process still runs, or it cannot be told.
    private static func lockIfAbandoned(_ path: String) -> Int32? {
        // A link or a pipe of such a name is nothing that ``create(for:permissions:)`` made.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        let isOurs = fstat(descriptor, &status) == 0 && [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        guard isOurs, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func removeItem(_ path: String) {
        // SQLite's companions of a database with a temporary name.
        for suffix in ["-journal", "-wal", "-shm"] { unlink(path + suffix) }
        try? FileManager.default.removeItem(atPath: path)
    }
}
