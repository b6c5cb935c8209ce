internal import GranaryCZlib

/// Decompresses gzip (RFC 1952) while it is read, with the memory of one chunk and zlib's window.
///
/// The contents of consecutive members are concatenated (section 2.2). Zero bytes after a member, the padding of tapes
/// and block devices, are skipped, as gzip(1) does; any other bytes there are an error.
final class GzipStream {
    /// The first bytes of a member: the magic number and the only defined compression method.
    static let magic: [UInt8] = [0x1F, 0x8B, 0x08]

    private static let capacity = 1 << 16
    private let name: String
    /// zlib keeps the address of its stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutablePointer<UInt8>
    /// The number of compressed bytes passed to zlib.
    private var taken: Int
    private var isInMember = true
    private var isAtEnd = false

    /// - Parameter start: the first bytes of the stream, at most ``capacity``.
    init(name: String, start: [UInt8]) throws(GranaryError) {
        self.name = name
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        input = .allocate(capacity: Self.capacity)
        taken = min(start.count, Self.capacity)
        for index in 0..<taken { input[index] = start[index] }
        stream.pointee.next_in = input
        stream.pointee.avail_in = UInt32(taken)
        // 16 added to the window size means that only gzip headers and checksums are accepted.
        let status = inflateInit2_(stream, 16 + MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            throw GranaryError(.internalDefect, "\(name): zlib cannot decompress: error \(status)")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// Decompresses up to `buffer.count` bytes, and reads more compressed bytes with `refill` if none are left.
    ///
    /// - Returns: the number of decompressed bytes; 0 at the end.
    /// - Throws: ``GranaryError`` with `source.compressed` for damaged or truncated data, or as `refill` throws.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        refill: (UnsafeMutableRawBufferPointer) throws(GranaryError) -> Int
    ) throws(GranaryError) -> Int {
        // zlib counts in 32 bits.
        let room = min(buffer.count, 1 << 30)
        guard let start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), room > 0 else { return 0 }
        while true {
            if stream.pointee.avail_in == 0, !isAtEnd {
                let count = try refill(UnsafeMutableRawBufferPointer(start: input, count: Self.capacity))
                stream.pointee.next_in = input
                stream.pointee.avail_in = UInt32(count)
                taken += count
                isAtEnd = count == 0
            }
            if !isInMember {
                skipZeros()
                if stream.pointee.avail_in == 0 {
                    if isAtEnd { return 0 }
                    continue
                }
                inflateReset(stream)
                isInMember = true
            }
            stream.pointee.next_out = start
            stream.pointee.avail_out = UInt32(room)
            let status = inflate(stream, Z_NO_FLUSH)
            let made = room - Int(stream.pointee.avail_out)
            if status == Z_STREAM_END { isInMember = false }
            if made > 0 { return made }
            let canGoOn = status == Z_OK || status == Z_STREAM_END || (status == Z_BUF_ERROR && !isAtEnd)
            if !canGoOn { throw failure(status) }
        }
    }

    private func skipZeros() {
        while stream.pointee.avail_in > 0, let next = stream.pointee.next_in, next.pointee == 0 {
            stream.pointee.next_in = next + 1
            stream.pointee.avail_in -= 1
        }
    }

    private func failure(_ status: Int32) -> GranaryError {
        let offset = taken - Int(stream.pointee.avail_in)
        let message: String
        switch status {
        case Z_BUF_ERROR: message = "the gzip data is truncated after byte \(offset); is the file complete?"
        case Z_DATA_ERROR, Z_NEED_DICT:
            var reason = ""
            if let text = stream.pointee.msg { reason = " (\(String(cString: text)))" }
            message = "the gzip data is damaged before byte \(offset) of the file\(reason)"
        default: return GranaryError(.internalDefect, "\(name): zlib cannot decompress: error \(status)")
        }
        // The line of the text is unknown.
        return GranaryError(
            Diagnostic(
                .sourceCompressed, message,
                at: SourcePosition(file: name, line: 1, column: 1, byteOffset: nil)))
    }
}
