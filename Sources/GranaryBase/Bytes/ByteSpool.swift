import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps the bytes of several sources while they are read, in one temporary file without a name.
///
/// They can then be read again, exactly as they were, even if a file is replaced or rewritten meanwhile.
package final class ByteSpool: @unchecked Sendable {
    /// Whether regular files are kept too, and not only what can be read once, such as a pipe.
    package let keepsFiles: Bool
    // Touched under `lock`, which makes this Sendable.
    private let lock = NSLock()
    private var descriptor: Int32 = -1
    private var count = 0

    package init(keepsFiles: Bool) { self.keepsFiles = keepsFiles }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends bytes of the source `name`.
    ///
    /// - Returns: their place.
    /// - Throws: ``GranaryError`` with code `uncreatable` or `inputOutput`.
    package func append(_ bytes: UnsafeRawBufferPointer, of name: String) throws(GranaryError) -> Int {
        lock.lock()
        defer { lock.unlock() }
        if descriptor < 0 { descriptor = try Self.temporaryFile(for: name) }
        let place = count
        var start = 0
        while start < bytes.count {
            let piece = UnsafeRawBufferPointer(rebasing: bytes[start...])
            let written = pwrite(descriptor, piece.baseAddress, piece.count, off_t(place + start))
            if written >= 0 {
                start += written
            } else if errno != EINTR {
                throw GranaryError(
                    .inputOutput,
                    "\(name): cannot be kept in a temporary file: \(errnoText()); TMPDIR names another place")
            }
        }
        count += bytes.count
        return place
    }

    package func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer, of name: String) throws(GranaryError)
        -> Int
    {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
            if count >= 0 { return count }
            if errno != EINTR { throw GranaryError(.inputOutput, "\(name): cannot be read: \(errnoText())") }
        }
    }

    private static func temporaryFile(for name: String) throws(GranaryError) -> Int32 {
        let path = FileManager.default.temporaryDirectory.appending(path: "granary-\(UUID().uuidString).spool")
            .path(percentEncoded: false)
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard file >= 0 else {
            throw GranaryError(
                .uncreatable, "\(name): cannot be kept in \(path): \(errnoText()); TMPDIR names another place")
        }
        // Nobody else finds it, and it is gone with its last reader.
        unlink(path)
        return file
    }
}
