import Foundation
import GranaryBase

/// The input stream of libxml2: valid UTF-8 without a document type declaration or processing instructions.
final class ScreenedXMLStream: InputStream {
    private let source: ByteSource
    private var screen: XMLScreen
    private var ready: [UInt8] = []
    private var readyStart = 0
    private var hasEnded = false
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)
    private var status = Stream.Status.notOpen
    /// The error that ended the stream.
    private(set) var failure: GranaryError?

    /// - Parameter start: the bytes already read from `source`.
    init(_ source: ByteSource, start: [UInt8]) {
        self.source = source
        screen = XMLScreen(source: source.name)
        super.init(data: Data())
        do throws(GranaryError) { try screen.take(start, isLast: false, into: &ready) } catch { failure = error }
    }

    /// Ends the stream.
    func stop() {
        hasEnded = true
        ready = []
        readyStart = 0
    }

    override func open() { status = .open }
    override func close() { status = .closed }
    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
    override var hasBytesAvailable: Bool { !hasEnded || readyStart < ready.count }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        while failure == nil, !hasEnded, screen.body == nil || readyStart == ready.count {
            do throws(GranaryError) { try refill() } catch { failure = error }
        }
        guard failure == nil else { return -1 }
        let count = min(maxLength, ready.count - readyStart)
        ready.withUnsafeBufferPointer { bytes in
            // `ready` has `count` bytes from `readyStart` on, and `buffer` has room for `maxLength`.
            if let start = bytes.baseAddress { buffer.update(from: start + readyStart, count: count) }
        }
        readyStart += count
        return count
    }

    private func refill() throws(GranaryError) {
        if screen.body != nil {
            ready.removeAll(keepingCapacity: true)
            readyStart = 0
        }
        let count = try source.read(into: &chunk)
        hasEnded = count == 0
        try screen.take(count == chunk.count ? chunk : Array(chunk[..<count]), isLast: hasEnded, into: &ready)
    }
}
