import Foundation
import GranaryBase
import GranaryFormats
import Testing

/// The thread that parses ahead of the reader ends when the reader goes away.
@Suite struct PropertyListReaderThreadTests {
    /// A list far longer than the batches that may wait.
    @Test func `A reader that stops early leaves its source to be freed`() throws {
        var bytes = Array("<plist><array>".utf8)
        for _ in 0..<50_000 { bytes += Array("<dict><key>a</key><integer>1</integer></dict>".utf8) }
        bytes += Array("</array></plist>".utf8)
        weak var freed: ByteSource?
        do {
            let source = ByteSource(bytes: bytes, name: "x")
            freed = source
            let reader = PropertyListReader(source)
            var record = Record()
            guard case .record = try reader.next(into: &record) else {
                Issue.record("no record")
                return
            }
        }
        // The thread holds the source last; it lets go at its next batch.
        let deadline = Date.now.addingTimeInterval(20)
        while freed != nil, Date.now < deadline { sched_yield() }
        #expect(freed == nil)
    }
}
