import Foundation
import GranaryBase

/// The bytes of a source that are at hand and not yet consumed, and the place of the first of them.
struct ByteWindow {
    let source: ByteSource
    private let chunkSize: Int
    private var storage: [UInt8] = []
    private var start = 0
    private var end = 0
    /// Whether the source has no more.
    private(set) var isFinal = false
    /// Where the first unread byte stands.
    private(set) var place = TextPlace()

    init(_ source: ByteSource, chunkSize: Int) {
        self.source = source
        self.chunkSize = max(chunkSize, 1)
    }

    var name: String { source.name }
    /// What the text was before it was made UTF-8.
    var encoding: TextEncoding { source.encoding }
    /// How many bytes are at hand.
    var count: Int { end - start }
    var first: UInt8? { start < end ? storage[start] : nil }

    @inline(__always)
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeBufferPointer { buffer throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: buffer[start..<end]))
        }
    }

    /// Gets more: as many bytes as are at hand already, but a chunk at least, so that starting a long value
    /// again and again costs no more than twice its length.
    mutating func fill() throws(GranaryError) {
        if start > 0 {
            let (from, upTo) = (start, end)
            storage.withUnsafeMutableBytes { bytes in
                let kept = UnsafeRawBufferPointer(rebasing: bytes[from..<upTo])
                bytes.copyMemory(from: kept)
            }
            end -= start
            start = 0
        }
        let source = source
        let goal = end + max(end, chunkSize)
        if storage.count < goal { storage.append(contentsOf: [UInt8](repeating: 0, count: goal - storage.count)) }
        while end < goal, !isFinal {
            let (from, upTo) = (end, min(goal, end + chunkSize))
            var failure: GranaryError?
            let count = storage.withUnsafeMutableBytes { bytes in
                do throws(GranaryError) {
                    return try source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[from..<upTo]))
                } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { throw failure }
            end += count
            if count == 0 { isFinal = true }
        }
    }

    /// Moves over bytes that were read.
    ///
    /// - Parameter hasLineEnd: whether a line end may be among them.
    @inline(__always)
    mutating func consume(_ count: Int, hasLineEnd: Bool) {
        if hasLineEnd {
            place = place(after: count)
        } else {
            place.advance(count: count)
        }
        start += count
    }

    /// Moves over a line and the LF behind it, which the source's last line may lack.
    mutating func consumeLine(_ length: Int) {
        let isWhole = length < count
        let hasCR = withBytes { bytes in
            bytes.baseAddress.map { memchr($0, 0x0D, min(length, bytes.count)) != nil } ?? false
        }
        if isWhole, !hasCR {
            place.advance(lineOf: length + 1)
            start += length + 1
        } else {
            consume(min(length + 1, count), hasLineEnd: true)
        }
    }

    /// Where the byte at an offset from the first unread one stands.
    func place(after count: Int) -> TextPlace {
        var place = place
        withBytes { bytes in
            place.advance(over: UnsafeBufferPointer(rebasing: bytes[..<min(max(count, 0), bytes.count)]))
        }
        return place
    }
}
