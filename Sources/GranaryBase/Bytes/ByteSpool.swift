import Foundation

/// A copy of the bytes of several sources, made while they are read, in one unlinked temporary file.
///
/// The bytes can be read again unchanged, even if a source file is replaced or rewritten meanwhile.
///
/// `@unchecked Sendable` is safe: `keepsFiles` is constant, and `descriptor` and `count` are accessed only while `lock`
/// is held. `pread` and `pwrite` have no shared file position, and bytes once written do not change.
package final class ByteSpool: @unchecked Sendable {
    /// Whether regular files are copied too. Otherwise only sources that can be read just once, such as pipes, are
    /// copied.
    package let keepsFiles: Bool
    private let lock = NSLock()
    /// Opened by the first ``append(_:of:)``; -1 before.
    private var descriptor: Int32 = -1
    private var count = 0

    /// The folder of the temporary file; nil for the system's temporary folder.
    private let folder: String?

    package init(keepsFiles: Bool, folder: String? = nil) {
        self.keepsFiles = keepsFiles
        self.folder = folder
    }

    private var advice: String { folder == nil ? "; set TMPDIR to use another folder" : "" }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends bytes of the source `name`.
    ///
    /// - Returns: the offset of the bytes in the temporary file.
    /// - Throws: ``GranaryError`` with code `uncreatable` or `inputOutput`.
    package func append(_ bytes: UnsafeRawBufferPointer, of name: String) throws(GranaryError) -> Int {
        lock.lock()
        defer { lock.unlock() }
        if descriptor < 0 { descriptor = try temporaryFile(for: name) }
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
                    "\(name): cannot be copied to a temporary file: \(errnoText())\(advice)")
            }
        }
        count += bytes.count
        return place
    }

    /// Reads bytes at an offset that ``append(_:of:)`` returned, or after it.
    ///
    /// - Returns: the number of bytes read; 0 at the end.
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    package func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer, of name: String) throws(GranaryError)
        -> Int
    {
        let descriptor = lock.withLock { self.descriptor }
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
            if count >= 0 { return count }
            if errno != EINTR { throw GranaryError(.inputOutput, "\(name): cannot be read: \(errnoText())") }
        }
    }

    /// Fills the buffer with the bytes at an offset that ``append(_:of:)`` returned.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`, also if the file ends before.
    package func readAll(at place: Int, into buffer: UnsafeMutableRawBufferPointer, of name: String)
        throws(GranaryError)
    {
        var start = 0
        while start < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
            let count = try read(at: place + start, into: rest, of: name)
            guard count > 0 else { throw GranaryError(.inputOutput, "\(name): the temporary file is truncated") }
            start += count
        }
    }

    private func temporaryFile(for name: String) throws(GranaryError) -> Int32 {
        let parent = folder.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        let path = parent.appending(path: ".granary-\(UUID().uuidString).spool").path(percentEncoded: false)
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard file >= 0 else {
            throw GranaryError(
                .uncreatable, "\(name): cannot be copied to \(path): \(errnoText())\(advice)")
        }
        // The file is unlinked at once: no other process can open it, and the system frees it when the descriptor is
        // closed.
        unlink(path)
        return file
    }
}
