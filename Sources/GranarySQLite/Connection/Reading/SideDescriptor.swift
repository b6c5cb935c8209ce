import Foundation
import GranaryBase

/// A descriptor of a database file or its companion, opened for reading beside SQLite.
final class SideDescriptor {
    let number: Int32
    private let database: FileIdentity

    /// - Parameter database: the database file whose connections must keep their locks.
    /// - Returns: nil if the file cannot be opened; `errno` has the reason.
    init?(_ path: String, of database: FileIdentity) {
        // Opening a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        number = descriptor
        self.database = database
    }

    deinit { OpenFile.letGo(number, of: database) }

    /// The bytes at an offset; fewer than `count` at the end of the file or after an error.
    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let found = buffer.withUnsafeMutableBytes { pread(number, $0.baseAddress, $0.count, off_t(offset)) }
        return Array(buffer.prefix(max(0, found)))
    }

    /// Whether another process has a lock that conflicts with a lock of this kind: with `F_RDLCK` write locks, with
    /// `F_WRLCK` all locks. Locks of this process are not detected.
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

/// The byte ranges of SQLite's locks (os.h and os_unix.c of SQLite; they are part of the file format).
struct LockRange {
    let start: Int64
    let count: Int64

    /// In the database file: the consecutive ranges PENDING, RESERVED and SHARED.
    static let database = LockRange(start: 0x4000_0000, count: 512)
    /// In the database file: PENDING. Readers also take a read lock on it for a moment.
    static let pending = LockRange(start: 0x4000_0000, count: 1)
    /// In the database file: SHARED. An EXCLUSIVE lock is a write lock on the whole range.
    static let shared = LockRange(start: 0x4000_0002, count: 510)
    /// In the `-shm` file: every connection that uses the write-ahead log has a lock on this byte.
    static let logUsers = LockRange(start: 128, count: 1)
}
