import Foundation

/// The identity of a file, independent of its names.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Returns nil if there is no such file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

/// The size and modification time of a file, to detect changes.
struct FileStatus: Equatable {
    let identity: FileIdentity
    let size: Int64
    let isRegular: Bool
    private let seconds: Int64
    private let nanoseconds: Int64

    /// Returns nil if there is no such file or its status cannot be read.
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

    /// Whether the file was written so recently that another write could have the same time. The clocks of file systems
    /// have a resolution of up to 10 ms.
    var isFresh: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let written = Double(seconds) + Double(nanoseconds) / 1e9
        let age = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - written
        return age >= 0 && age < 0.02
    }
}
