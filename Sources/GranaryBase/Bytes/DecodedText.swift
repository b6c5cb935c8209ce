/// The stage of a source that converts text to UTF-8. It keeps two chunks in memory.
final class DecodedText {
    private static let capacity = 1 << 15
    private var decoder: TextDecoder
    private let input: UnsafeMutablePointer<UInt8>
    /// The number of bytes at the start of `input` that are not decoded yet: an incomplete character.
    private var kept = 0
    private var ready: [UInt8] = []
    private var readyStart = 0
    private var isAtEnd = false

    init(_ encoding: TextEncoding) {
        decoder = TextDecoder(encoding)
        input = .allocate(capacity: Self.capacity)
    }

    deinit { input.deallocate() }

    /// Copies decoded text to `buffer`. If none is left, it reads more bytes with `refill` and decodes them.
    ///
    /// - Returns: the number of bytes copied; 0 at the end.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        refill: (UnsafeMutableRawBufferPointer) throws(GranaryError) -> Int
    ) throws(GranaryError) -> Int {
        while readyStart == ready.count {
            guard !isAtEnd else { return 0 }
            ready.removeAll(keepingCapacity: true)
            readyStart = 0
            let count = try refill(UnsafeMutableRawBufferPointer(start: input + kept, count: Self.capacity - kept))
            isAtEnd = count == 0
            let length = kept + count
            let used = decoder.decode(
                UnsafeBufferPointer(start: input, count: length), isLast: isAtEnd, into: &ready)
            // At most three bytes; the ranges may overlap.
            kept = length - used
            input.update(from: input + used, count: kept)
        }
        let start = readyStart
        let count = min(buffer.count, ready.count - start)
        ready.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
        }
        readyStart += count
        return count
    }
}
