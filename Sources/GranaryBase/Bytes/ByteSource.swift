package import Foundation

/// A stream of bytes to read: a file, standard input, or bytes in memory.
///
/// It is read in chunks, so a reader needs memory for one chunk only.
///
/// ```
/// raw bytes ──> inflated ──> UTF-8
/// ByteOrigin    GzipStream   DecodedText
/// ```
/// A stage exists only if it is requested and the first bytes show that it is needed. UTF-8 is read directly into the
/// caller's buffer.
package final class ByteSource {
    /// The name that diagnostics carry: the path as given, or `<stdin>`.
    package let name: String
    private let origin: ByteOrigin
    /// The number of raw bytes read so far: bytes of the file, before decompression.
    package private(set) var bytesRead = 0
    /// Called with the raw bytes as they are read.
    package var tap: ((UnsafeRawBufferPointer) -> Void)?
    /// The text's encoding with its byte order, known after the first read. UTF-8 if ``decodeText(as:allowsNUL:)`` was
    /// not called.
    package private(set) var encoding = TextEncoding.utf8
    /// The byte order mark of the source, known after the first read; empty if there is none.
    package private(set) var mark: [UInt8] = []

    private var acceptsGzip = false
    private var text: (encoding: TextEncoding?, allowsNUL: Bool)?
    private var hasBegun = false
    private var isAtEnd = false
    private var gzip: GzipStream?
    private var decoded: DecodedText?
    /// Bytes that were read to detect the format and not returned yet, at most four.
    private var head: [UInt8] = []

    /// Opens a file for reading.
    ///
    /// - Parameter spool: receives a copy of the bytes read, so that ``reopened()`` can read a pipe again.
    /// - Throws: ``GranaryError`` with code `unreadable` if the file is missing, a folder, or not readable.
    package convenience init(
        path: String, named name: String? = nil, spool: ByteSpool? = nil
    ) throws(GranaryError) {
        self.init(try ByteOrigin(path: path, spool: spool), name: name ?? path)
    }

    /// Opens the file of a file URL.
    ///
    /// - Throws: as ``init(path:spool:)``.
    package convenience init(url: URL) throws(GranaryError) {
        try self.init(path: url.path(percentEncoded: false))
    }

    /// Creates a source of bytes in memory. `name` is the name in diagnostics.
    package convenience init(bytes: [UInt8], name: String) {
        self.init(ByteOrigin(bytes, name: name), name: name)
    }

    /// Creates a source of the bytes of an asynchronous sequence.
    ///
    /// - Parameter spool: receives a copy of the bytes read, so that ``reopened()`` can read them again.
    package convenience init(_ feed: ByteFeed, name: String, spool: ByteSpool? = nil) {
        self.init(ByteOrigin(feed, name: name, spool: spool), name: name)
    }

    private init(_ origin: ByteOrigin, name: String) {
        self.name = name
        self.origin = origin
    }

    /// Creates a source that reads standard input.
    ///
    /// - Parameter spool: receives a copy of the bytes read, so that ``reopened()`` can read them again.
    package static func standardInput(spool: ByteSpool? = nil) -> ByteSource {
        let name = "<stdin>"
        return ByteSource(ByteOrigin(standardInput: name, spool: spool), name: name)
    }

    /// The number of raw bytes of the source; nil if it is unknown, as for a pipe.
    package var byteCount: Int? { origin.byteCount }

    /// Whether the source copies the bytes it reads to a spool.
    package var isSpooled: Bool { origin.isSpooled }

    /// Returns a new source that reads the same bytes from the start, with default settings.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable` for a pipe or terminal without a spool.
    package func reopened() throws(GranaryError) -> ByteSource {
        guard origin.isRepeatable else {
            throw GranaryError(.unreadable, "\(name): can be read only once")
        }
        return ByteSource(origin, name: name)
    }

    /// Decompresses the bytes if they are gzip (RFC 1952). Call it before the first read.
    package func inflateGzip() { acceptsGzip = true }

    /// Decompresses gzip and converts the text to UTF-8. Call it before the first read.
    ///
    /// Bytes that are invalid in the source's encoding become escapes that are invalid UTF-8 (``TextEscape``).
    /// ``TextEncoding/problem(in:at:)`` describes such an escape; ``TextEncoding/encode(_:into:)`` restores the
    /// source's bytes. A byte order mark becomes that of UTF-8. UTF-8 is passed through unchecked.
    ///
    /// - Parameters:
    ///   - encoding: the encoding; nil for the encoding of the byte order mark, or UTF-8 without a mark.
    ///   - allowsNUL: whether the text may contain U+0000. If not, U+0000 indicates UTF-16 or UTF-32.
    package func decodeText(as encoding: TextEncoding?, allowsNUL: Bool) {
        acceptsGzip = true
        text = (encoding, allowsNUL)
    }

    /// Reads up to `buffer.count` bytes.
    ///
    /// - Returns: the number of bytes read; 0 at the end.
    /// - Throws: ``GranaryError`` with code `inputOutput` if a read fails, or `refused` if the text has another
    ///   encoding than the given one or compressed data is damaged.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(GranaryError) -> Int {
        if !hasBegun { try begin() }
        guard let decoded else { return try readText(into: buffer) }
        return try decoded.read(into: buffer) { (chunk) throws(GranaryError) in try readText(into: chunk) }
    }

    /// Reads up to `chunk.count` bytes into an array.
    ///
    /// - Returns: the number of bytes read; 0 at the end.
    /// - Throws: as the `read(into:)` that takes a buffer.
    package func read(into chunk: inout [UInt8]) throws(GranaryError) -> Int {
        try chunk.withUnsafeMutableBufferPointer {
            (bytes: inout UnsafeMutableBufferPointer<UInt8>) throws(GranaryError) in
            try read(into: UnsafeMutableRawBufferPointer(bytes))
        }
    }

    /// The limit for a compressed source that is read whole: ``inflatedBase`` plus this many times its compressed size.
    private static let inflationLimit = 100
    private static let inflatedBase = 64 << 20

    /// Reads the rest of the source.
    ///
    /// - Parameter limit: the maximum number of bytes.
    /// - Throws: ``GranaryError`` with code `refused` if there are more than `limit` bytes, or as reading throws.
    package func readAll(limit: Int) throws(GranaryError) -> [UInt8] {
        if !acceptsGzip, tap == nil, bytesRead == 0, let memory = origin.memory, memory.count <= limit {
            bytesRead = memory.count
            return memory
        }
        var result: [UInt8] = []
        if !acceptsGzip, let byteCount, byteCount <= limit { result.reserveCapacity(byteCount) }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try read(into: &chunk)
            if count == 0 { return result }
            // A small gzip file can decompress to gigabytes of zeros. Real data does not compress to a hundredth of its
            // size.
            if gzip != nil, result.count + count > Self.inflatedBase + Self.inflationLimit * bytesRead {
                throw GranaryError(
                    Diagnostic(
                        .limitExceeded,
                        "\(name): \(bytesRead) compressed bytes decompress to more than \(result.count) bytes, the limit for "
                            + "a source that is read whole; decompress the file first"))
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

    /// Reads the first bytes and creates the stages that they require.
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

    /// Reads the first four bytes, or fewer if the source ends. They suffice to detect gzip and byte order marks.
    private func look() throws(GranaryError) {
        let four = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
        defer { four.deallocate() }
        while head.count < 4 {
            let count = try readInflated(into: UnsafeMutableRawBufferPointer(rebasing: four[..<(4 - head.count)]))
            if count == 0 { return }
            head.append(contentsOf: four[..<count])
        }
    }

    /// Reads bytes before text decoding: first ``head``, then the rest.
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
        // After the end, a terminal would wait for more input.
        guard !isAtEnd, !buffer.isEmpty else { return 0 }
        let count = try origin.read(at: bytesRead, into: buffer)
        isAtEnd = count == 0
        bytesRead += count
        if let tap, count > 0 { tap(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
        return count
    }
}

extension ByteSource {
    /// Reads the rest of the source in pieces of `size` bytes; the last one may be shorter.
    package func forEachPiece(
        of size: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(GranaryError) -> Void
    ) throws(GranaryError) {
        var piece = [UInt8](repeating: 0, count: max(1, size))
        while true {
            var filled = 0
            while filled < piece.count {
                let count = try piece.withUnsafeMutableBufferPointer {
                    (bytes: inout UnsafeMutableBufferPointer<UInt8>) throws(GranaryError) in
                    try read(
                        into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[filled...])))
                }
                if count == 0 { break }
                filled += count
            }
            if filled == 0 { return }
            try piece.withUnsafeBufferPointer { (bytes) throws(GranaryError) in
                try body(UnsafeBufferPointer(rebasing: bytes[..<filled]))
            }
            if filled < piece.count { return }
        }
    }
}

/// The system's message for `errno`.
package func errnoText() -> String { String(cString: strerror(errno)) }
