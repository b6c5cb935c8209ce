#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What tells one state of a file from another: which file it is, how long, and when it was written last.
///
/// Whoever publishes by renaming makes another file; who writes in place changes the time. Only two writes in place
/// within one tick of the file system's clock, of the same length, look alike.
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

    /// Nil where there is nothing of that name, or it cannot be looked at.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
