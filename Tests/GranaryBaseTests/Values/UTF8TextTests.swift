import GranaryBase
import TestSupport
import Testing

@Suite struct UTF8TextTests {
    private func firstInvalid(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { UTF8Text.firstInvalid(in: $0) }
    }

    @Test(arguments: [
        ([0x80], 0), ([0xC0, 0x80], 0), ([0xC1, 0xBF], 0), ([0x41, 0xC2], 1), ([0xE0, 0x9F, 0xBF], 0),
        ([0xE0, 0xA0], 0),
        ([0xED, 0xA0, 0x80], 0), ([0x61, 0x62, 0xED, 0xBF, 0xBF], 2), ([0xF0, 0x8F, 0xBF, 0xBF], 0),
        ([0xF4, 0x90, 0x80, 0x80], 0),
        ([0xF5, 0x80, 0x80, 0x80], 0), ([0xFF], 0), ([0xFE], 0), ([0xC3, 0xA9, 0xC3], 2), ([0xF0, 0x9F, 0x98], 0),
        ([0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x80], 8),
        ([0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x80, 0x39], 7),
        ([0xE2, 0x82, 0x41], 0), ([0xF0, 0x9F, 0x98, 0x41], 0),
    ])
    func findsTheFirstBadByte(bytes: [UInt8], offset: Int) { #expect(firstInvalid(bytes) == offset) }

    @Test(arguments: [
        "", "a", "12345678", "é", "€", "😀", "\u{10FFFF}", "\u{D7FF}\u{E000}", "12345678é12345678€12345678😀1", "\u{0}",
        "\u{800}\u{10000}\u{7F}\u{80}",
    ])
    func acceptsText(text: String) {
        #expect(firstInvalid(Array(text.utf8)) == nil)
        #expect(withBytes(text) { UTF8Text.utf16Count(in: $0) } == text.utf16.count)
        let prefix = text.utf8.prefix { $0 < 0x80 }
        #expect(withBytes(text) { UTF8Text.endOfASCII($0, from: 0) } == prefix.count)
    }

    /// Text of all widths, half of it with a byte changed.
    @Test func agreesWithTheStandardLibrary() {
        var generator = SeededGenerator(seed: 14)
        let scalars: [Unicode.Scalar] = [
            "a", "z", "\u{7F}", "\u{80}", "ÿ", "\u{7FF}", "\u{800}", "€", "\u{D7FF}", "\u{FFFF}", "\u{10000}", "😀",
            "\u{10FFFF}",
        ]
        for _ in 0..<50_000 {
            var text = ""
            for _ in 0..<generator.next() % 24 {
                let isASCII = generator.next() & 1 == 0
                text.unicodeScalars.append(scalars[Int(generator.next() % (isASCII ? 2 : UInt64(scalars.count)))])
            }
            var bytes = Array(text.utf8)
            if generator.next() & 1 == 0, !bytes.isEmpty {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            let found = firstInvalid(bytes)
            if (String(validating: bytes, as: UTF8.self) == nil) != (found != nil) { Issue.record("\(bytes)") }
            if let found {
                // What stands before it is whole.
                if String(validating: bytes[..<found], as: UTF8.self) == nil { Issue.record("\(bytes) at \(found)") }
            } else {
                let units = bytes.withUnsafeBufferPointer { UTF8Text.utf16Count(in: $0) }
                if units != String(decoding: bytes, as: UTF8.self).utf16.count {
                    Issue.record("\(bytes): \(units) units")
                }
            }
        }
    }

    @Test func findsNUL() {
        #expect(withBytes("") { UTF8Text.firstNUL(in: $0) } == nil)
        #expect(UTF8Text.firstNUL(in: UnsafeBufferPointer(start: nil, count: 0)) == nil)
        #expect(withBytes("abc") { UTF8Text.firstNUL(in: $0) } == nil)
        #expect(withBytes("ab\0c\0") { UTF8Text.firstNUL(in: $0) } == 2)
        #expect(withBytes("\0") { UTF8Text.firstNUL(in: $0) } == 0)
    }
}
