package import Foundation

/// The identity, size and modification time of a file, to detect changes.
///
/// Renaming a new file over it changes the identity, writing in place changes the time. Only a write of the same length
/// within one tick of the file system's clock is not detected.
package struct FileStatus: Hashable, Sendable {
    package let identity: FileIdentity
    package let size: Int64
    package let isRegular: Bool
    private let seconds: Int64
    private let nanoseconds: Int64

    package init(_ status: stat) {
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

    /// Returns nil if there is no such file or its status cannot be read; `errno` has the reason.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Whether the file was written so recently that another write could have the same time. The clocks of file systems
    /// have a resolution of up to 10 ms.
    package var isFresh: Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let written = Double(seconds) + Double(nanoseconds) / 1e9
        let age = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - written
        return age >= 0 && age < 0.02
    }
}
