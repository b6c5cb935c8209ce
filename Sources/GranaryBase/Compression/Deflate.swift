internal import GranaryCZlib

/// Raw DEFLATE (RFC 1951) with zlib: the compression of Core Data's model cache.
package enum Deflate {
    /// - Throws: ``GranaryError`` if zlib has not enough memory.
    package static func compress(_ bytes: [UInt8]) throws(GranaryError) -> [UInt8] {
        var stream = z_stream()
        // A negative window size means no header and no checksum.
        let status = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw failure("compress", status) }
        defer { deflateEnd(&stream) }
        let output = bytes.withUnsafeBufferPointer { bytes in
            run(&stream, over: bytes, limit: .max) { deflate(&$0, $1 ? Z_FINISH : Z_NO_FLUSH) }
        }
        guard output.status == Z_STREAM_END else { throw failure("compress", output.status) }
        return output.bytes
    }

    /// - Parameter limit: the maximum number of decompressed bytes. Data can decompress to a thousand times its size.
    /// - Throws: ``GranaryError`` with code `refused` for damaged or truncated data, bytes after the end of the data,
    ///   or more than `limit` decompressed bytes.
    package static func decompress(_ bytes: [UInt8], limit: Int) throws(GranaryError) -> [UInt8] {
        var stream = z_stream()
        let status = inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw failure("decompress", status) }
        defer { inflateEnd(&stream) }
        let output = bytes.withUnsafeBufferPointer { bytes in
            run(&stream, over: bytes, limit: limit) { stream, _ in inflate(&stream, Z_NO_FLUSH) }
        }
        if output.isPastLimit {
            throw GranaryError(
                Diagnostic(.limitExceeded, "compressed data decompresses to more than \(limit) bytes, the limit"))
        }
        switch output.status {
        case Z_STREAM_END where output.unread == 0: return output.bytes
        case Z_STREAM_END:
            throw GranaryError(.refused, "\(output.unread) bytes follow the end of the compressed data")
        case Z_OK, Z_BUF_ERROR: throw GranaryError(.refused, "compressed data is truncated")
        case Z_DATA_ERROR, Z_NEED_DICT: throw GranaryError(.refused, "compressed data is damaged")
        default: throw failure("decompress", output.status)
        }
    }

    private struct Output {
        var bytes: [UInt8] = []
        var status = Z_OK
        var unread = 0
        var isPastLimit = false
    }

    /// The size of zlib's output buffer.
    private static let chunk = 65_536

    /// Runs zlib until the stream ends, fails, needs more input than there is, or has produced more than `limit` bytes.
    ///
    /// - Parameter step: calls zlib once. The second argument is true if all input has been passed to zlib.
    private static func run(
        _ stream: inout z_stream, over bytes: UnsafeBufferPointer<UInt8>, limit: Int,
        step: (inout z_stream, Bool) -> Int32
    ) -> Output {
        var output = Output()
        var fed = 0
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: chunk)
        defer { buffer.deallocate() }
        while true {
            if stream.avail_in == 0, fed < bytes.count {
                // zlib counts in 32 bits. It does not write to its input, although the C type is not const.
                let count = min(bytes.count - fed, 1 << 30)
                let piece = UnsafeBufferPointer(rebasing: bytes[fed..<fed + count])
                stream.next_in = UnsafeMutablePointer(mutating: piece.baseAddress)
                stream.avail_in = UInt32(count)
                fed += count
            }
            stream.next_out = buffer.baseAddress
            stream.avail_out = UInt32(chunk)
            output.status = step(&stream, fed == bytes.count)
            let made = chunk - Int(stream.avail_out)
            if made > limit - output.bytes.count {
                output.isPastLimit = true
                return output
            }
            output.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<made]))
            output.unread = bytes.count - fed + Int(stream.avail_in)
            // With no input and a buffer that is not full, another call would have no effect.
            let isStarved = output.unread == 0 && stream.avail_out > 0
            if output.status != Z_OK || isStarved { return output }
        }
    }

    private static func failure(_ what: String, _ status: Int32) -> GranaryError {
        GranaryError(.internalDefect, "zlib cannot \(what): error \(status)")
    }
}
