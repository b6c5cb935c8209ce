import Foundation
import GranaryBase
import GranaryFormats
import Testing

/// A reader takes from its source what it needs, and holds it no longer than it lives.
@Suite struct PropertyListReaderSourceTests {
    @Test func `A reader that stops early has read a part of its source, which is freed with it`() throws {
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
            #expect(source.bytesRead < 100_000)
        }
        #expect(freed == nil)
    }

    @Test func `Records before a mistake are read, however close it is`() throws {
        let record = "<dict><key>a</key><integer>1</integer></dict>"
        for (mistake, code) in [("</dict>", "plist.syntax"), ("\u{0}", "encoding.invalid"), ("&x;", "plist.syntax")] {
            let text = "<plist><array>\(record)\(record)\(mistake)"
            let reader = PropertyListReader(ByteSource(bytes: Array(text.utf8), name: "x"))
            var buffer = Record()
            for _ in 0..<2 {
                guard case .record = try reader.next(into: &buffer) else {
                    Issue.record("no record before \(mistake)")
                    return
                }
            }
            let error = #expect(throws: GranaryError.self) { try reader.next(into: &buffer) }
            #expect(error?.diagnostics.first?.code.rawValue == code)
            guard case .end = try reader.next(into: &buffer) else {
                Issue.record("no end after \(mistake)")
                return
            }
        }
    }
}
