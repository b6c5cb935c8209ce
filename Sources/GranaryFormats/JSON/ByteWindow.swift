import Foundation
import GranaryBase

/// The buffered bytes of a source that are not consumed yet, and the position of the first of them.
struct ByteWindow {
    let source: ByteSource
    private let chunkSize: Int
    private var storage: [UInt8] = []
    private var start = 0
    private var end = 0
    /// Whether the source is at its end.
    private(set) var isFinal = false
    /// The position of the first unread byte.
    private(set) var place = TextPlace()

    init(_ source: ByteSource, chunkSize: Int) {
        self.source = source
        self.chunkSize = max(chunkSize, 1)
    }

    var name: String { source.name }
    /// The encoding of the source before conversion to UTF-8.
    var encoding: TextEncoding { source.encoding }
    /// The number of buffered bytes.
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

    /// Reads as many bytes as are buffered already, but at least a chunk, so that restarting a long value costs at most
    /// twice its length.
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
            let count = try storage.withUnsafeMutableBufferPointer {
                (bytes: inout UnsafeMutableBufferPointer<UInt8>) throws(GranaryError) in
                try source.read(
                    into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[from..<upTo])))
            }
            end += count
            if count == 0 { isFinal = true }
        }
    }

    /// Consumes bytes.
    ///
    /// - Parameter hasLineEnd: whether the bytes may contain a line end.
    @inline(__always)
    mutating func consume(_ count: Int, hasLineEnd: Bool) {
        if hasLineEnd {
            place = place(after: count)
        } else {
            place.advance(count: count)
        }
        start += count
    }

    /// Consumes a line and its LF, which the source's last line may lack.
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

    /// The position of the byte at an offset from the first unread byte.
    func place(after count: Int) -> TextPlace {
        var place = place
        withBytes { bytes in
            place.advance(over: UnsafeBufferPointer(rebasing: bytes[..<min(max(count, 0), bytes.count)]))
        }
        return place
    }
}
