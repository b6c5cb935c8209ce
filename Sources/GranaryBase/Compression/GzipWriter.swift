internal import GranaryCZlib

/// Compresses bytes to one gzip member (RFC 1952) while they are written, with constant memory.
///
/// The header has no file name and no time, so the same bytes give the same file.
final class GzipWriter {
    private static let capacity = 1 << 16
    private let name: String
    /// zlib keeps the address of its stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let buffer: UnsafeMutablePointer<UInt8>

    /// - Parameter name: the name of the output, for errors.
    init(name: String) throws(GranaryError) {
        self.name = name
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        buffer = .allocate(capacity: Self.capacity)
        // 16 added to the window size means a gzip header and checksum.
        let status = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw failure(status) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    /// Appends the compressed form of `bytes` to `output`. zlib keeps a part of it until later bytes come.
    ///
    /// - Parameter isLast: whether the member ends with these bytes.
    func compress(_ bytes: [UInt8], isLast: Bool, into output: inout [UInt8]) throws(GranaryError) {
        let status = bytes.withUnsafeBufferPointer { run($0, isLast: isLast, &output) }
        guard status == Z_OK else { throw failure(status) }
    }

    private func run(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, _ output: inout [UInt8]) -> Int32 {
        var fed = 0
        while true {
            if stream.pointee.avail_in == 0, fed < bytes.count {
                // zlib counts in 32 bits. It does not write to its input, although the C type is not const.
                let count = min(bytes.count - fed, 1 << 30)
                let piece = UnsafeBufferPointer(rebasing: bytes[fed..<fed + count])
                stream.pointee.next_in = UnsafeMutablePointer(mutating: piece.baseAddress)
                stream.pointee.avail_in = UInt32(count)
                fed += count
            }
            stream.pointee.next_out = buffer
            stream.pointee.avail_out = UInt32(Self.capacity)
            let isEnding = isLast && fed == bytes.count
            let status = deflate(stream, isEnding ? Z_FINISH : Z_NO_FLUSH)
            let made = Self.capacity - Int(stream.pointee.avail_out)
            output.append(contentsOf: UnsafeBufferPointer(start: buffer, count: made))
            switch status {
            case Z_STREAM_END: return Z_OK
            // Without input and output, zlib has nothing to do: `Z_BUF_ERROR`.
            case Z_OK, Z_BUF_ERROR:
                let isStarved = fed == bytes.count && stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0
                if isStarved, !isEnding { return Z_OK }
                if isStarved, status == Z_BUF_ERROR { return status }
            default: return status
            }
        }
    }

    private func failure(_ status: Int32) -> GranaryError {
        GranaryError(.internalDefect, "\(name): zlib cannot compress: error \(status)")
    }
}
