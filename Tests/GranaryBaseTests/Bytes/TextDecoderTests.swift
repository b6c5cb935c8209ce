import TestSupport
import Testing

@testable import GranaryBase

@Suite struct TextDecoderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let encoding: TextEncoding
        let bytes: [UInt8]
        /// The text; what is no character as `<bytes@offset>`.
        let text: String

        init(_ encoding: TextEncoding, _ bytes: [UInt8], _ text: String) {
            self.encoding = encoding
            self.bytes = bytes
            self.text = text
        }

        var testDescription: String { "\(encoding.name) \(bytes)" }
    }

    static let cases: [Case] = [
        Case(.ascii, [0x61, 0x0A, 0x7F, 0x80, 0xFF, 0x62], "a\n\u{7F}<80@3><FF@4>b"),
        Case(.isoLatin1, [0x61, 0x80, 0xA4, 0xE9, 0xFF, 0], "a\u{80}¤éÿ\0"),
        Case(
            .windows1252, [0x80, 0x81, 0x82, 0x8D, 0x8F, 0x90, 0x9D, 0x9F, 0xE9], "€<81@1>‚<8D@3><8F@4><90@5><9D@6>Ÿé"),
        Case(.windows1252, [0x93, 0x61, 0x94, 0x85, 0x99], "“a”…™"),
        Case(.macRoman, [0x8E, 0xDB, 0xF0, 0xA5, 0xFF], "é€\u{F8FF}•ˇ"),
        // UTF-16: the plane of most characters, pairs, and every way to be none.
        Case(.utf16LE, [0x61, 0, 0xE9, 0, 0xAC, 0x20, 0x3D, 0xD8, 0x00, 0xDE], "aé€😀"),
        Case(.utf16BE, [0, 0x61, 0, 0xE9, 0x20, 0xAC, 0xD8, 0x3D, 0xDE, 0x00], "aé€😀"),
        Case(.utf16, [0, 0x61], "a"),
        Case(.utf16LE, [0xFF, 0xFE, 0x61, 0], "\u{FEFF}a"),
        Case(.utf16LE, [0xFF, 0xFF, 0xFF, 0xDB, 0xFF, 0xDF], "\u{FFFF}\u{10FFFF}"),
        Case(.utf16LE, [0x3D, 0xD8, 0x61, 0], "<3DD8@0>a"),
        Case(.utf16LE, [0x3D, 0xD8, 0x3D, 0xD8, 0x00, 0xDE], "<3DD8@0>😀"),
        Case(.utf16LE, [0x61, 0, 0x00, 0xDE, 0x62, 0], "a<00DE@2>b"),
        Case(.utf16LE, [0x61, 0, 0x3D, 0xD8], "a<3DD8@2>"),
        Case(.utf16LE, [0x61, 0, 0x3D, 0xD8, 0x00], "a<3DD8@2><00@4>"),
        Case(.utf16LE, [0x61], "<61@0>"),
        Case(.utf16BE, [0xD8, 0x0A, 0, 0x0A], "<D80A@0>\n"),
        Case(.utf16BE, [0xDC, 0x00], "<DC00@0>"),
        // UTF-32.
        Case(.utf32LE, [0x61, 0, 0, 0, 0x00, 0xF6, 0x01, 0], "a😀"),
        Case(.utf32BE, [0, 0, 0, 0x61, 0, 0x01, 0xF6, 0x00], "a😀"),
        Case(.utf32, [0, 0, 0xFE, 0xFF, 0, 0x10, 0xFF, 0xFF], "\u{FEFF}\u{10FFFF}"),
        Case(.utf32BE, [0, 0x11, 0, 0, 0, 0, 0, 0x61], "<00110000@0>a"),
        Case(.utf32BE, [0, 0, 0xD8, 0x00, 0, 0, 0xDF, 0xFF, 0, 0, 0xE0, 0], "<0000D800@0><0000DFFF@4>\u{E000}"),
        Case(.utf32BE, [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0], "<FFFFFFFF@0><000000@4>"),
        Case(.utf32LE, [0x61, 0, 0, 0, 0x62], "a<62@4>"),
    ]

    /// Decodes in pieces of so many bytes.
    static func decode(_ bytes: [UInt8], as encoding: TextEncoding, piece: Int) -> [UInt8] {
        var decoder = TextDecoder(encoding)
        var output: [UInt8] = []
        var waiting: [UInt8] = []
        var start = 0
        repeat {
            let end = min(start + piece, bytes.count)
            waiting += bytes[start..<end]
            start = end
            let used = waiting.withUnsafeBufferPointer { decoder.decode($0, isLast: end == bytes.count, into: &output) }
            waiting.removeFirst(used)
        } while start < bytes.count
        return output
    }

    /// Decoded text as the table writes it.
    static func shown(_ text: [UInt8]) -> String {
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            if let escape = text.withUnsafeBufferPointer({ TextEscape(in: $0, at: index) }) {
                let unit = escape.unit.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
                result += Array("<\(unit)@\(escape.offset)>".utf8)
                index += escape.length
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    @Test(arguments: cases)
    func decodes(_ example: Case) {
        for piece in 1...8 {
            let output = Self.decode(example.bytes, as: example.encoding, piece: piece)
            #expect(Self.shown(output) == example.text, "pieces of \(piece)")
            #expect(example.encoding.bytes(of: output) == example.bytes)
        }
    }

    /// Nothing is lost, whatever the bytes are; and what is no character is what a reader's check finds.
    @Test(arguments: TextEncoding.allNames)
    func anyBytesComeBack(_ name: String) throws {
        let encoding = try #require(TextEncoding(name: name))
        var generator = SeededGenerator(seed: UInt64(name.utf8.count))
        for _ in 0..<400 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                let interesting: [UInt8] = [0, 0, 0x0A, 0x0D, 0x10, 0x11, 0xD8, 0xDC, 0xDF, 0xFE, 0xFF, 0x81]
                return Bool.random(using: &generator)
                    ? interesting.randomElement(using: &generator) ?? 0 : UInt8.random(in: 0...255, using: &generator)
            }
            let whole = Self.decode(bytes, as: encoding, piece: 1000)
            for piece in 1...8 {
                try #require(Self.decode(bytes, as: encoding, piece: piece) == whole, "\(bytes)")
            }
            try #require(encoding.bytes(of: whole) == bytes, "\(bytes)")
            guard encoding != .utf8 else { continue }
            let invalid = whole.withUnsafeBufferPointer { UTF8Text.firstInvalid(in: $0) }
            try #require(invalid == whole.firstIndex(of: 0xFE), "\(bytes)")
        }
    }

    /// Any text at all, against Swift's own encoders.
    @Test func textIsTheSameInEveryEncoding() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                let limit: UInt32 = [0x7F, 0xFF, 0xFFFF, 0x10FFFF].randomElement(using: &generator) ?? 0x7F
                if let scalar = UnicodeScalar(UInt32.random(in: 0...limit, using: &generator)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            let utf16 = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            let utf32 = text.unicodeScalars.flatMap { scalar in
                ([24, 16, 8, 0] as [UInt32]).map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
            }
            for (encoding, bytes) in [(TextEncoding.utf16LE, utf16), (TextEncoding.utf32BE, utf32)] {
                try #require(Self.decode(bytes, as: encoding, piece: 5) == Array(text.utf8))
                try #require(encoding.bytes(of: Array(text.utf8)) == bytes)
            }
        }
    }

    @Test func whatAnEncodingLacksIsSaid() {
        #expect(TextEncoding.windows1252.bytes(of: Array("a☃".utf8)) == nil)
        #expect(TextEncoding.ascii.bytes(of: Array("é".utf8)) == nil)
        #expect(TextEncoding.utf16LE.bytes(of: [0x61, 0xC3]) == nil)
        var output: [UInt8] = [1]
        _ = TextEncoding.ascii.encode(Array("aé".utf8), into: &output)
        #expect(output == [1])
    }

    @Test(arguments: [
        ("utf-8", "UTF-8"), ("UTF8", "UTF-8"), ("Utf_16LE", "UTF-16LE"), ("utf-32", "UTF-32"),
        ("latin1", "ISO-8859-1"), ("ISO_8859-1", "ISO-8859-1"), ("cp1252", "Windows-1252"),
        ("WINDOWS-1252", "Windows-1252"), ("ascii", "US-ASCII"), ("macintosh", "MacRoman"),
    ])
    func isKnownByItsNames(_ name: String, _ canonical: String) {
        #expect(TextEncoding(name: name)?.name == canonical)
    }

    @Test func namesAreTakenAsTheyAreGiven() {
        #expect(TextEncoding.allNames.allSatisfy { TextEncoding(name: $0)?.name.lowercased() == $0 })
        #expect(TextEncoding(name: "") == nil && TextEncoding(name: "iso-8859-15") == nil)
    }

    @Test(
        arguments: [
            (TextEncoding.windows1252, [0x81], "the byte 0x81 is not Windows-1252 (byte 0 of the undecoded text)"),
            (.utf16LE, [0x00, 0xD8], "0xD800 is an unpaired surrogate in UTF-16LE (byte 0 of the undecoded text)"),
            (.utf32LE, [0, 0, 0x11, 0], "0x00110000 is not a character in UTF-32LE (byte 0 of the undecoded text)"),
            (
                .utf16BE, [0x61],
                "the text ends inside a character in UTF-16BE, 0x61 (byte 0 of the undecoded text)"
            ),
        ] as [(TextEncoding, [UInt8], String)])
    func saysWhatIsNoCharacter(_ encoding: TextEncoding, _ bytes: [UInt8], _ message: String) {
        let output = Self.decode(bytes, as: encoding, piece: 9)
        let found = output.withUnsafeBufferPointer { encoding.problem(in: $0, at: 0) }
        #expect(found == message)
    }
}
