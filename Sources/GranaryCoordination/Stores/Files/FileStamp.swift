import Foundation

/// Identifies the state of a file by its inode, size and modification time.
///
/// Renaming a new file over it changes the inode, writing in place changes the time. Only a write of the same length
/// within one tick of the file system's clock is not detected.
struct FileStamp: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
    let bytes: Int64
    let seconds: Int64
    let nanoseconds: Int64

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        bytes = Int64(truncatingIfNeeded: status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = Int64(truncatingIfNeeded: time.tv_sec)
        nanoseconds = Int64(truncatingIfNeeded: time.tv_nsec)
    }

    /// Nil if the file does not exist or cannot be accessed.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
