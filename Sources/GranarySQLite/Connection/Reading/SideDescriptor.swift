#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A database file, or a companion of it, opened for reading beside SQLite.
final class SideDescriptor {
    let number: Int32
    private let database: FileIdentity

    /// - Parameter database: the database file whose connections must keep their locks.
    /// - Returns: nil where it cannot be opened; `errno` says why.
    init?(_ path: String, of database: FileIdentity) {
        // Opening a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        number = descriptor
        self.database = database
    }

    deinit { OpenFile.letGo(number, of: database) }

    /// The bytes at an offset: fewer than `count` at the end of the file, or where it cannot be read.
    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let found = buffer.withUnsafeMutableBytes { pread(number, $0.baseAddress, $0.count, off_t(offset)) }
        return Array(buffer.prefix(max(0, found)))
    }

    /// Whether another process has a lock that stands in the way of one of this kind: `F_RDLCK` finds those for writing,
    /// `F_WRLCK` all. The locks of this process are not seen.
    func isLocked(_ range: LockRange, against kind: Int32) -> Bool {
        var lock = flock()
        lock.l_type = Int16(truncatingIfNeeded: kind)
        lock.l_whence = Int16(truncatingIfNeeded: SEEK_SET)
        lock.l_start = off_t(range.start)
        lock.l_len = off_t(range.count)
        guard fcntl(number, F_GETLK, &lock) == 0 else { return false }
        return lock.l_type != Int16(truncatingIfNeeded: F_UNLCK)
    }
}

/// The bytes that SQLite's locks are on (os.h and os_unix.c of SQLite; they are part of the file format).
struct LockRange {
    let start: Int64
    let count: Int64

    /// Of the database file: PENDING, RESERVED and SHARED, which lie one behind the other.
    static let database = LockRange(start: 0x4000_0000, count: 512)
    /// Of the database file: PENDING alone. Readers touch it too, for a moment and not for writing.
    static let pending = LockRange(start: 0x4000_0000, count: 1)
    /// Of the database file: an EXCLUSIVE lock is one for writing on all of these.
    static let shared = LockRange(start: 0x4000_0002, count: 510)
    /// Of the `-shm` file: every connection that uses the write-ahead log has a lock on it.
    static let logUsers = LockRange(start: 128, count: 1)
}
