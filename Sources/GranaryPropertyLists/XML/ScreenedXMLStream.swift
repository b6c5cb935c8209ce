import Foundation
import GranaryBase

/// The stream that libxml2 reads from: valid UTF-8, without a document type declaration or processing instructions.
final class ScreenedXMLStream: InputStream {
    private let source: ByteSource
    private var decoder: XMLTextDecoder
    private var prolog: XMLProlog
    /// Set once the prolog is over.
    private var bodyGuard: XMLBodyGuard?
    private var ready: [UInt8] = []
    private var readyStart = 0
    private var hasEnded = false
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)
    private var status = Stream.Status.notOpen
    /// What ended the stream early.
    private(set) var failure: GranaryError?

    /// - Parameter start: bytes that were read from `source` already.
    init(_ source: ByteSource, start: [UInt8]) {
        self.source = source
        decoder = XMLTextDecoder(source: source.name)
        prolog = XMLProlog(source: source.name)
        super.init(data: Data())
        do throws(GranaryError) { try take(start, isLast: false) } catch { failure = error }
    }

    /// Gives no more bytes.
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
        while failure == nil, !hasEnded, bodyGuard == nil || readyStart == ready.count {
            do throws(GranaryError) { try refill() } catch { failure = error }
        }
        guard failure == nil else { return -1 }
        let count = min(maxLength, ready.count - readyStart)
        ready.withUnsafeBufferPointer { bytes in
            // `count` bytes from `readyStart` on are there, and `buffer` has room for `maxLength`.
            if let start = bytes.baseAddress { buffer.update(from: start + readyStart, count: count) }
        }
        readyStart += count
        return count
    }

    private func refill() throws(GranaryError) {
        if bodyGuard != nil {
            ready.removeAll(keepingCapacity: true)
            readyStart = 0
        }
        var problem: GranaryError?
        let source = source
        let count = chunk.withUnsafeMutableBytes { bytes in
            do throws(GranaryError) { return try source.read(into: bytes) } catch {
                problem = error
                return 0
            }
        }
        if let problem { throw problem }
        hasEnded = count == 0
        try take(count == chunk.count ? chunk : Array(chunk[..<count]), isLast: count == 0)
    }

    private func take(_ bytes: [UInt8], isLast: Bool) throws(GranaryError) {
        var problem: GranaryError?
        let before = ready.count
        bytes.withUnsafeBufferPointer { raw in
            do throws(GranaryError) { try decoder.decode(raw, isLast: isLast, into: &ready) } catch { problem = error }
        }
        if let problem { throw problem }
        if bodyGuard != nil {
            try bodyGuard?.check(ready[before...])
        } else {
            let wasUTF16 = decoder.encoding == .utf16BigEndian || decoder.encoding == .utf16LittleEndian
            guard try prolog.screen(&ready, wasUTF16: wasUTF16, isLast: isLast) else { return }
            var body = XMLBodyGuard(source: source.name, place: prolog.textPlace(in: ready))
            try body.check(ready[prolog.index...])
            bodyGuard = body
        }
    }
}
