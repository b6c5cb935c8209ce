import Testing

@testable import GranaryBase

@Suite struct TextEncodingMarkTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let start: [UInt8]
        let declared: TextEncoding?
        /// What it is taken for; nil where it is refused.
        let encoding: TextEncoding?
        let mark: Int
        let allowsNUL: Bool

        init(
            _ start: [UInt8], _ declared: TextEncoding?, _ encoding: TextEncoding?, mark: Int = 0,
            allowsNUL: Bool = false
        ) {
            self.start = start
            self.declared = declared
            self.encoding = encoding
            self.mark = mark
            self.allowsNUL = allowsNUL
        }

        var testDescription: String { "\(start) as \(declared?.name ?? "nothing")" }
    }

    static let cases: [Case] = [
        Case([], nil, .utf8), Case([], .windows1252, .windows1252), Case([0x61, 0x62, 0x63, 0x64], nil, .utf8),
        // Marks.
        Case([0xEF, 0xBB, 0xBF, 0x61], nil, .utf8, mark: 3), Case([0xEF, 0xBB, 0xBF], .utf8, .utf8, mark: 3),
        Case([0xFF, 0xFE, 0x61, 0], nil, .utf16LE, mark: 2), Case([0xFE, 0xFF, 0, 0x61], nil, .utf16BE, mark: 2),
        Case([0xFF, 0xFE], nil, .utf16LE, mark: 2), Case([0xFF, 0xFE, 0, 0], nil, .utf32LE, mark: 4),
        Case([0, 0, 0xFE, 0xFF], nil, .utf32BE, mark: 4), Case([0xFF, 0xFE, 0x61, 0], .utf16, .utf16LE, mark: 2),
        Case([0xFE, 0xFF, 0, 0x61], .utf16, .utf16BE, mark: 2), Case([0xFF, 0xFE, 0, 0], .utf32, .utf32LE, mark: 4),
        Case([0xFF, 0xFE, 0x61, 0], .utf16LE, .utf16LE, mark: 2),
        // Marks that contradict.
        Case([0xEF, 0xBB, 0xBF, 0x61], .windows1252, nil), Case([0xEF, 0xBB, 0xBF, 0x61], .utf16LE, nil),
        Case([0xFF, 0xFE, 0x61, 0], .utf8, nil), Case([0xFF, 0xFE, 0x61, 0], .utf16BE, nil),
        Case([0xFF, 0xFE, 0, 0], .utf16LE, nil), Case([0xFF, 0xFE, 0, 0], .isoLatin1, nil),
        Case([0xFF, 0xFE, 0, 0], .utf16LE, .utf16LE, mark: 2, allowsNUL: true),
        Case([0, 0, 0xFE, 0xFF], .utf16BE, .utf16BE, allowsNUL: true),
        // What looks like another encoding.
        Case([0x61, 0, 0x62, 0], nil, nil), Case([0, 0x61, 0, 0x62], .windows1252, nil),
        Case([0x61, 0, 0, 0], .utf16LE, nil), Case([0x61, 0, 0, 0], nil, nil), Case([0, 0, 0, 0x61], nil, nil),
        Case([0x61, 0, 0x62, 0], nil, .utf8, allowsNUL: true), Case([0x61, 0, 0x62, 0], .utf16LE, .utf16LE),
        Case([0x61, 0, 0x62, 0], .utf16BE, .utf16BE), Case([0x61, 0, 0x62, 0], .utf16, nil),
        Case([0x61, 0, 0x62, 0], .utf16, nil, allowsNUL: true), Case([0, 0x61, 0, 0x62], .utf16, .utf16BE),
        Case([0, 0, 0, 0x61], .utf32, .utf32BE), Case([0x61, 0, 0, 0], .utf32, nil),
        Case([0x61, 0, 0, 0], .utf32LE, .utf32LE), Case([0x61, 0], nil, .utf8),
    ]

    @Test(arguments: cases)
    func decides(_ example: Case) {
        let found = try? TextEncodingMark.resolve(
            example.start, declared: example.declared, allowsNUL: example.allowsNUL, source: "x")
        #expect(found?.encoding == example.encoding)
        if let found { #expect(found.mark == Array(example.start.prefix(example.mark))) }
    }

    @Test func refusesWithItsPlaceAndWhatToSay() {
        let error = #expect(throws: GranaryError.self) {
            _ = try TextEncodingMark.resolve([0x61, 0, 0x62, 0], declared: nil, allowsNUL: false, source: "x")
        }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.first?.position == SourcePosition(file: "x", line: 1, column: 1, byteOffset: 0))
        #expect(error?.diagnostics.first?.help == "--encoding utf-16le")
        let other = #expect(throws: GranaryError.self) {
            _ = try TextEncodingMark.resolve([0xEF, 0xBB, 0xBF], declared: .utf16, allowsNUL: false, source: "x")
        }
        #expect(other?.message.contains("byte order mark of UTF-8") == true)
    }

    @Test func tellsOtherEncodings() {
        #expect(TextEncodingMark.otherEncoding([0xEF, 0xBB, 0xBF] as [UInt8]) == nil)
        #expect(TextEncodingMark.otherEncoding([0x5B, 0, 0x5D, 0] as [UInt8]) == .utf16LE)
        #expect(TextEncodingMark.otherEncoding([0xFE, 0xFF] as [UInt8]) == .utf16BE)
        #expect(TextEncodingMark.utf8Length([0xEF, 0xBB] as [UInt8]) == 0)
    }
}
