#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which file it is, whatever its names.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Nil where there is nothing of that name.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// What tells one state of a file from another.
struct FileStatus: Equatable {
    let identity: FileIdentity
    let size: Int64
    let isRegular: Bool
    private let seconds: Int64
    private let nanoseconds: Int64

    /// Nil where there is nothing of that name, or it cannot be looked at.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        identity = FileIdentity(status)
        size = Int64(truncatingIfNeeded: status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = Int64(truncatingIfNeeded: time.tv_sec)
        nanoseconds = Int64(truncatingIfNeeded: time.tv_nsec)
    }

    /// Whether it was written so lately that the next write may leave the same time: the clocks of file systems go in
    /// steps of up to 10 ms.
    var isFresh: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let written = Double(seconds) + Double(nanoseconds) / 1e9
        let age = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - written
        return age >= 0 && age < 0.02
    }
}
