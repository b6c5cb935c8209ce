public import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A stream of bytes to read: a file, standard input, or bytes in memory.
///
/// It hands over chunks, so what reads from it needs memory for one chunk, not for the file.
public final class ByteSource {
    /// The name that diagnostics carry: the path as given, or `<stdin>`.
    public let name: String
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    private var memory: [UInt8]
    private var offset = 0

    /// Opens a file for reading.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable` when it is missing, a folder, or may not be read.
    public init(path: String) throws(GranaryError) {
        name = path
        memory = []
        ownsDescriptor = true
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw GranaryError(.unreadable, "\(path): cannot be opened: \(errnoText())")
        }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw GranaryError(.unreadable, "\(path): is a folder, not a file")
        }
    }

    /// Opens the file that a URL names.
    ///
    /// - Throws: as ``init(path:)``.
    public convenience init(url: URL) throws(GranaryError) {
        try self.init(path: url.path(percentEncoded: false))
    }

    /// Bytes in memory under a name of the caller's.
    public init(bytes: [UInt8], name: String) {
        self.name = name
        memory = bytes
        descriptor = -1
        ownsDescriptor = false
    }

    private init(descriptor: Int32, name: String) {
        self.name = name
        memory = []
        self.descriptor = descriptor
        ownsDescriptor = false
    }

    /// Standard input.
    public static func standardInput() -> ByteSource { ByteSource(descriptor: 0, name: "<stdin>") }

    deinit {
        if ownsDescriptor, descriptor >= 0 { close(descriptor) }
    }

    /// Fills `buffer` as far as one read gives; 0 at the end.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` when the system cannot read on.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(GranaryError) -> Int {
        guard descriptor >= 0 else { return readMemory(into: buffer) }
        while true {
            #if canImport(Glibc)
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #elseif canImport(Musl)
                let count = Musl.read(descriptor, buffer.baseAddress, buffer.count)
            #else
                let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 { return count }
            if errno != EINTR {
                throw GranaryError(.inputOutput, "\(name): cannot be read: \(errnoText())")
            }
        }
    }

    /// The rest of the source at once.
    ///
    /// - Parameter limit: the most bytes that are taken.
    /// - Throws: ``GranaryError`` with code `refused` when there is more than `limit`, or as reading throws.
    package func readAll(limit: Int) throws(GranaryError) -> [UInt8] {
        if descriptor < 0, offset == 0, memory.count <= limit {
            offset = memory.count
            return memory
        }
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var failure: GranaryError?
            let count = chunk.withUnsafeMutableBytes { buffer in
                do throws(GranaryError) { return try read(into: buffer) } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            if count == 0 { return result }
            guard count <= limit - result.count else {
                throw GranaryError(
                    Diagnostic(
                        .limitExceeded, "\(name) has more than \(limit) bytes, the limit for reading it whole"))
            }
            result.append(contentsOf: chunk[..<count])
        }
    }

    private func readMemory(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, memory.count - offset)
        memory.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        offset += count
        return count
    }
}

/// The system's words for `errno`.
package func errnoText() -> String { String(cString: strerror(errno)) }
