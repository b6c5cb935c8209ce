import Foundation

/// Reads the content of files.
enum FileBytes {
    /// Returns the bytes of a regular file.
    ///
    /// - Throws: `FileReadError` if the file cannot be read, is not a regular file, or has more than `limit` bytes.
    static func read(path: String, limit: Int) throws(FileReadError) -> [UInt8] {
        // Without O_NONBLOCK, a named pipe without a writer would block here.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw systemError() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileReadError(message: "is not a regular file") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(clamping: min(Int64(status.st_size), Int64(limit))))
        while let piece = try nextPiece(of: descriptor) {
            bytes += piece
            if bytes.count > limit {
                let advice = "name the files that have the models, or pass --max-file-size"
                throw FileReadError(message: "is larger than \(limit >> 20) MB and is not read; \(advice)")
            }
        }
        return bytes
    }

    /// Returns the next bytes of a file, or `nil` at its end.
    private static func nextPiece(of descriptor: Int32) throws(FileReadError) -> [UInt8]? {
        var count = 0
        let size = 1 << 18
        // `read` writes at most `size` bytes, and a negative count is an error.
        let piece = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
            repeat { count = Foundation.read(descriptor, buffer.baseAddress, size) } while count < 0 && errno == EINTR
            initialized = max(count, 0)
        }
        guard count >= 0 else { throw systemError() }
        return count == 0 ? nil : piece
    }

    /// Returns the error of the last system call.
    private static func systemError() -> FileReadError {
        FileReadError(message: "cannot be read: \(String(cString: strerror(errno)))")
    }
}
