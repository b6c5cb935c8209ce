internal import GranaryCSystem
import Foundation

/// A file or folder that is not complete yet. It has a temporary name in the target's folder: `TARGET.UUID.partial`.
///
/// The object holds an exclusive lock (`flock`) on the file. The kernel releases the lock when the process ends, also
/// when it is killed. A partial file without a lock was therefore abandoned by a process that has ended.
/// ``create(for:permissions:)`` and ``createFolder(for:permissions:)`` first remove the abandoned files of the same
/// target.
///
/// The object does not remove the file; its owner renames or removes it. `deinit` releases the lock.
package final class PartialFile {
    /// The temporary name.
    package let path: String
    /// The descriptor of the file, open for reading and writing, or of the folder, open for reading. `deinit` closes
    /// it.
    package let descriptor: Int32

    private static let suffix = ".partial"

    /// The name for a complete file if a file with the target name exists: `TARGET.UUID`. It does not end in
    /// `.partial`, so no later run removes it.
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
    ///   - removingAbandoned: whether to remove abandoned files of the target first. False if the caller reads them
    ///     with ``abandoned(of:_:)``.
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
        // Until the lock is set, another process can take the new file for an abandoned one and remove it. The loop
        // then tries another name.
        for _ in 0..<100 {
            let path = "\(target).\(UUID().uuidString)\(suffix)"
            let descriptor = make(path)
            if descriptor < 0 {
                // The new folder was removed between `mkdir` and `open`, or the target's parent folder does not exist.
                if errno == ENOENT { continue }
                break
            }
            var status = stat()
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                // The file system has no locks. The file is used without one; if the process is killed, no later run
                // removes the file.
                if errno != EWOULDBLOCK { return PartialFile(path: path, descriptor: descriptor) }
            } else if stat(path, &status) == 0 {
                return PartialFile(path: path, descriptor: descriptor)
            }
            close(descriptor)
        }
        let reason = errno == ENOENT ? "its folder does not exist" : errnoText()
        throw GranaryError(.uncreatable, "\(target): cannot be created: \(reason)")
    }

    /// Locks an existing file that is about to get the temporary name of a partial file, so that no other process
    /// removes it.
    ///
    /// - Returns: the lock; nil if the file cannot be locked.
    static func lock(_ path: String) -> PartialFile? {
        lockIfAbandoned(path).map { PartialFile(path: path, descriptor: $0) }
    }

    /// Removes the abandoned partial files and folders of a target.
    package static func removeAbandoned(of target: String) { abandoned(of: target) { _ in true } }

    /// Removes the abandoned partial files of several targets in the folder of a path.
    ///
    /// - Parameter isTarget: whether a name, without its folder, is the name of a target.
    package static func removeAbandoned(beside path: String, where isTarget: (String) -> Bool) {
        abandoned(names(beside: path, where: isTarget)) { _ in true }
    }

    /// Calls `body` with the path of each abandoned partial file of a target and removes the file if `body` returns
    /// true. The file is locked during the call.
    package static func abandoned(of target: String, _ body: (String) -> Bool) { abandoned(names(of: target), body) }

    private static func abandoned(_ paths: [String], _ body: (String) -> Bool) {
        for path in paths {
            guard let descriptor = lockIfAbandoned(path) else { continue }
            if body(path) { removeItem(path) }
            close(descriptor)
        }
    }

    /// The paths of the partial files of a target whose processes are running, and of those that cannot be locked.
    package static func used(of target: String) -> [String] {
        names(of: target).filter { path in
            guard let descriptor = lockIfAbandoned(path) else { return true }
            close(descriptor)
            return false
        }
    }

    /// The names `TARGET.UUID.partial` in the target's folder.
    private static func names(of target: String) -> [String] {
        let name = target.lastIndex(of: "/").map { target[target.index(after: $0)...] } ?? target[...]
        return names(beside: target) { $0 == name }
    }

    private static func names(beside path: String, where isTarget: (String) -> Bool) -> [String] {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        // A UUID has 36 characters.
        let added = 1 + 36 + suffix.count
        return (FolderNames(folder.isEmpty ? "." : folder)?.names ?? []).filter { name in
            name.hasSuffix(suffix) && name.count > added
                && UUID(uuidString: String(name.dropLast(suffix.count).suffix(36))) != nil
                && name.dropLast(added - 1).last == "." && isTarget(String(name.dropLast(added)))
        }.map { folder + $0 }
    }

    /// Opens and locks an abandoned partial file. Returns nil if another process holds the lock or the file cannot be
    /// locked.
    private static func lockIfAbandoned(_ path: String) -> Int32? {
        // ``create(for:permissions:)`` makes only regular files and folders; a symbolic link or a pipe is not ours.
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
        // SQLite's journal, WAL and shared-memory files of a database with a temporary name.
        for suffix in ["-journal", "-wal", "-shm"] { unlink(path + suffix) }
        try? FileManager.default.removeItem(atPath: path)
    }
}
