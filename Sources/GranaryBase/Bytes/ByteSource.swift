package import Foundation

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
///
/// ```
/// raw bytes ──> inflated ──> UTF-8
/// ByteOrigin    GzipStream   DecodedText
/// ```
/// What is not asked for, and what the first bytes show to be unnecessary, is no stage: UTF-8 goes from the system
/// straight into the reader's buffer.
package final class ByteSource {
    /// The name that diagnostics carry: the path as given, or `<stdin>`.
    package let name: String
    private let origin: ByteOrigin
    /// How many raw bytes were taken so far: of the file as it lies on the disk.
    package private(set) var bytesRead = 0
    /// Called with the raw bytes as they are read.
    package var tap: ((UnsafeRawBufferPointer) -> Void)?
    /// The text's encoding with its byte order, known after the first read. UTF-8 where nobody asked for text.
    package private(set) var encoding = TextEncoding.utf8
    /// The byte order mark as the source has it, known after the first read; empty for none.
    package private(set) var mark: [UInt8] = []

    private var acceptsGzip = false
    private var text: (encoding: TextEncoding?, allowsNUL: Bool)?
    private var hasBegun = false
    private var isAtEnd = false
    private var gzip: GzipStream?
    private var decoded: DecodedText?
    /// Bytes that were looked at and not handed out yet, at most four.
    private var head: [UInt8] = []

    /// Opens a file for reading.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable` when it is missing, a folder, or may not be read.
    package convenience init(path: String) throws(GranaryError) { try self.init(path: path, spool: nil) }

    /// Opens the file that a URL names.
    ///
    /// - Throws: as ``init(path:)``.
    package convenience init(url: URL) throws(GranaryError) {
        try self.init(path: url.path(percentEncoded: false))
    }

    /// Bytes in memory under a name of the caller's.
    package convenience init(bytes: [UInt8], name: String) {
        self.init(ByteOrigin(bytes, name: name), name: name)
    }

    /// Opens a path as ``init(path:)`` does and copies what is read to a spool, so that ``reopened()`` can read it again.
    package convenience init(path: String, spool: ByteSpool?) throws(GranaryError) {
        self.init(try ByteOrigin(path: path, spool: spool), name: path)
    }

    private init(_ origin: ByteOrigin, name: String) {
        self.name = name
        self.origin = origin
    }

    /// Standard input.
    package static func standardInput() -> ByteSource { standardInput(spool: nil) }

    /// Reads standard input and copies what is read to a spool, so that ``reopened()`` can read it again.
    package static func standardInput(spool: ByteSpool?) -> ByteSource {
        let name = "<stdin>"
        return ByteSource(ByteOrigin(standardInput: name, spool: spool), name: name)
    }

    /// How many raw bytes the source has; nil for what only its end tells.
    package var byteCount: Int? { origin.byteCount }

    /// Whether the source copies the bytes it reads to a spool.
    package var isSpooled: Bool { origin.isSpooled }

    /// The same source from its start, with nothing set.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable` for what can be read only once and is not spooled.
    package func reopened() throws(GranaryError) -> ByteSource {
        guard origin.isRepeatable else {
            throw GranaryError(.unreadable, "\(name): can be read only once")
        }
        return ByteSource(origin, name: name)
    }

    /// Asks for gzip (RFC 1952) to be inflated. Set before the first read.
    package func inflateGzip() { acceptsGzip = true }

    /// Asks for text in UTF-8, with gzip inflated. Set before the first read.
    ///
    /// What is no character in the source's encoding becomes bytes that are no UTF-8;
    /// ``TextEncoding/problem(in:at:)`` says what they are, ``TextEncoding/encode(_:into:)`` gives the source's bytes
    /// back. A byte order mark becomes UTF-8's. UTF-8 passes as it is, unchecked.
    ///
    /// - Parameters:
    ///   - encoding: what the text is; nil for what its byte order mark says, and UTF-8 without one.
    ///   - allowsNUL: whether U+0000 may stand in it. Otherwise it shows that the text is UTF-16 or UTF-32.
    package func decodeText(as encoding: TextEncoding?, allowsNUL: Bool) {
        acceptsGzip = true
        text = (encoding, allowsNUL)
    }

    /// Fills `buffer` as far as one read gives; 0 at the end.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` when the system cannot read on; with `refused` where the text is
    ///   in another encoding than was said, or compressed data is damaged.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(GranaryError) -> Int {
        if !hasBegun { try begin() }
        guard let decoded else { return try readText(into: buffer) }
        return try decoded.read(into: buffer) { (chunk) throws(GranaryError) in try readText(into: chunk) }
    }

    /// The limit for a source that is read whole: ``inflatedBase`` plus this many times its compressed bytes.
    private static let inflationLimit = 100
    private static let inflatedBase = 64 << 20

    /// The rest of the source at once.
    ///
    /// - Parameter limit: the most bytes that are taken.
    /// - Throws: ``GranaryError`` with code `refused` when there is more than `limit`, or as reading throws.
    package func readAll(limit: Int) throws(GranaryError) -> [UInt8] {
        if !acceptsGzip, tap == nil, bytesRead == 0, let memory = origin.memory, memory.count <= limit {
            bytesRead = memory.count
            return memory
        }
        var result: [UInt8] = []
        if !acceptsGzip, let byteCount, byteCount <= limit { result.reserveCapacity(byteCount) }
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
            // A small gzip file can decompress to gigabytes of zeros. Real data does not compress to less than a hundredth.
            if gzip != nil, result.count + count > Self.inflatedBase + Self.inflationLimit * bytesRead {
                throw GranaryError(
                    Diagnostic(
                        .limitExceeded,
                        "\(name): \(bytesRead) compressed bytes give more than \(result.count) bytes, the limit for a source that is "
                            + "read whole; decompress the file first"))
            }
            guard count <= limit - result.count else {
                throw GranaryError(
                    Diagnostic(
                        .limitExceeded, "\(name) has more than \(limit) bytes, the limit for reading it whole"))
            }
            result.append(contentsOf: chunk[..<count])
        }
    }

    // MARK: Stages

    /// Looks at the first bytes and decides which stages there are.
    private func begin() throws(GranaryError) {
        if acceptsGzip {
            try look()
            if gzip == nil, head.starts(with: GzipStream.magic) {
                gzip = try GzipStream(name: name, start: head)
                head = []
                try look()
            }
        }
        if let text {
            let found = try TextEncodingMark.resolve(
                head, declared: text.encoding, allowsNUL: text.allowsNUL, source: name)
            encoding = found.encoding
            mark = found.mark
            if encoding != .utf8 { decoded = DecodedText(encoding) }
        }
        hasBegun = true
    }

    /// Takes the first four bytes, which tell all that is to be told; fewer where there are no more.
    private func look() throws(GranaryError) {
        let four = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
        defer { four.deallocate() }
        while head.count < 4 {
            let count = try readInflated(into: UnsafeMutableRawBufferPointer(rebasing: four[..<(4 - head.count)]))
            if count == 0 { return }
            head.append(contentsOf: four[..<count])
        }
    }

    /// The bytes before decoding.
    private func readText(into buffer: UnsafeMutableRawBufferPointer) throws(GranaryError) -> Int {
        guard !head.isEmpty else { return try readInflated(into: buffer) }
        let count = min(head.count, buffer.count)
        buffer.copyBytes(from: head[..<count])
        head.removeFirst(count)
        return count
    }

    private func readInflated(into buffer: UnsafeMutableRawBufferPointer) throws(GranaryError) -> Int {
        guard let gzip else { return try readRaw(into: buffer) }
        return try gzip.read(into: buffer) { (chunk) throws(GranaryError) in try readRaw(into: chunk) }
    }

    private func readRaw(into buffer: UnsafeMutableRawBufferPointer) throws(GranaryError) -> Int {
        // A terminal would be asked once more.
        guard !isAtEnd, !buffer.isEmpty else { return 0 }
        let count = try origin.read(at: bytesRead, into: buffer)
        isAtEnd = count == 0
        bytesRead += count
        if let tap, count > 0 { tap(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
        return count
    }
}

/// The system's words for `errno`.
package func errnoText() -> String { String(cString: strerror(errno)) }
