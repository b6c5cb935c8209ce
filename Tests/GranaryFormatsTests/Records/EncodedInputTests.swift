import GranaryBase
import TestSupport
import Testing

@testable import GranaryFormats

/// What the readers of text make of other encodings and of gzip: the same as of UTF-8.
@Suite struct EncodedInputTests {
    static let chunks = [1, 2, 3, 7, 1 << 16]

    /// In every encoding but ASCII.
    static let csv = "key,name\r\n0,\"Zoë\r\nØ\"\"\"\n1,é\n\"2,3\n4\n"
    static let json = "[{\"key\":0,\"näme\":\"Zoë\"},\n {\"key\":[1,\"é\"], \"key\":2}, {\"ö\":{}}, 1]"
    static let lines = "{\"key\":0,\"näme\":\"Zoë\"}\n\n{\"key\":\n{\"é\":1}\r\n"

    static let encodings = TextEncoding.allNames.compactMap { TextEncoding(name: $0) }.filter { $0 != .ascii }

    static func bytes(_ text: String, _ encoding: TextEncoding) throws -> [UInt8] {
        var output: [UInt8] = []
        let isWhole = encoding.encode(Array(text.utf8), into: &output)
        try #require(isWhole)
        return output
    }

    static func terms(_ bytes: [UInt8], _ encoding: TextEncoding?) throws -> Reading {
        var options = TermsReader.Options(delimiter: "§", fields: ["name"])
        options.encoding = encoding
        return Reading.of(try TermsReader(ByteSource(bytes: bytes, name: "t"), options: options))
    }

    static func json(_ bytes: [UInt8], _ encoding: TextEncoding?, lines: Bool, chunk: Int = 1 << 16) -> RecordText {
        var options = JSONReader.Options()
        options.encoding = encoding
        options.lines = lines
        options.chunkSize = chunk
        return RecordText(reading: JSONReader(ByteSource(bytes: bytes, name: "x"), options: options))
    }

    @Test(arguments: encodings)
    func aDeclaredEncodingGivesWhatUTF8Gives(_ encoding: TextEncoding) throws {
        let options = CSVReader.Options().with { $0.encoding = encoding }
        let expected = try Reading.csv(Self.csv)
        #expect(expected.outcomes.count >= 3)
        let rows = Self.json(Array(Self.json.utf8), nil, lines: false)
        #expect(rows.outcomes.count == 4)
        let objects = Self.json(Array(Self.lines.utf8), nil, lines: true)
        for chunk in Self.chunks {
            #expect(try Reading.csv(Self.bytes(Self.csv, encoding), options, chunkBytes: chunk) == expected)
            #expect(Self.json(try Self.bytes(Self.json, encoding), encoding, lines: false, chunk: chunk) == rows)
            #expect(Self.json(try Self.bytes(Self.lines, encoding), encoding, lines: true, chunk: chunk) == objects)
        }
        // The delimiter is in no encoding of one byte but UTF-8.
        if let table = try? Self.bytes("Ä§B\n", encoding) {
            #expect(try Self.terms(table, encoding) == Self.terms(Array("Ä§B\n".utf8), nil))
        }
    }

    @Test(arguments: [TextEncoding.utf8, .utf16LE, .utf16BE, .utf32LE, .utf32BE])
    func aMarkGivesWhatUTF8WithAMarkGives(_ encoding: TextEncoding) throws {
        let mark = "\u{FEFF}"
        for declared in [nil, encoding] {
            let options = CSVReader.Options().with { $0.encoding = declared }
            let expected = try Reading.csv(mark + Self.csv)
            for chunk in Self.chunks {
                let found = try Reading.csv(Self.bytes(mark + Self.csv, encoding), options, chunkBytes: chunk)
                #expect(found == expected)
            }
            #expect(
                Self.json(try Self.bytes(mark + Self.json, encoding), declared, lines: false)
                    == Self.json(Array((mark + Self.json).utf8), nil, lines: false))
            #expect(
                try Self.terms(Self.bytes(mark + "Ä§B", encoding), declared)
                    == Self.terms(Array((mark + "Ä§B").utf8), nil))
        }
    }

    @Test(arguments: chunks)
    func whatIsNoCharacterSpoilsItsRecordOnly(chunk: Int) throws {
        let bytes = Array("a,b\n1,x".utf8) + [0x81] + Array("y\n2,".utf8) + [0xE9, 0x0A]
        let options = CSVReader.Options().with { $0.encoding = .windows1252 }
        let reader = try CSVReader(ByteSource(bytes: bytes, name: "t.csv"), options: options, chunkBytes: chunk)
        var record = Record()
        guard case .malformed(let diagnostic) = try reader.next(into: &record) else {
            Issue.record("a record")
            return
        }
        #expect(
            diagnostic.description
                == "t.csv:2:4: error: the byte 0x81 is not Windows-1252 (byte 7 of the undecoded text) [encoding.invalid]"
        )
        #expect(diagnostic.field == "b")
        var original: [UInt8] = []
        let isWhole = TextEncoding.windows1252.encode(record.raw, into: &original)
        #expect(isWhole && original == Array("1,x".utf8) + [0x81, 0x79])
        guard case .record = try reader.next(into: &record) else {
            Issue.record("no record")
            return
        }
        #expect(record.bytes == Array("2é".utf8) && record.line == 3)
    }

    @Test(arguments: chunks)
    func jsonSaysWhatIsNoCharacter(chunk: Int) throws {
        // Half a pair in a text, and one where a value should be.
        let inside = Array("[{\"a\":\"".utf16) + [0xD800] + Array("\"},{\"a\":1}]".utf16)
        let outside = Array("[{\"a\":".utf16) + [0xDC00] + Array("}]".utf16)
        func bytes(_ units: [UInt16]) -> [UInt8] {
            units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        }
        let first = Self.json(bytes(inside), .utf16LE, lines: false, chunk: chunk).outcomes
        #expect(first.first == "malformed encoding.invalid@1:8+7")
        #expect(first.count == 2 && first.last?.hasSuffix("{a=number:1}") == true)
        let second = Self.json(bytes(outside), .utf16LE, lines: false, chunk: chunk).outcomes
        #expect(second == ["refused encoding.invalid@1:7+6"])
        let line = Self.json(bytes(outside), .utf16LE, lines: true, chunk: chunk).outcomes
        #expect(line.first?.hasPrefix("malformed ") == true)
    }

    @Test func aTermThatIsNoTextIsSaid() throws {
        var options = TermsReader.Options(delimiter: "%", fields: ["name"])
        options.encoding = .ascii
        let reader = try TermsReader(ByteSource(bytes: [0x61, 0x25, 0x80], name: "t"), options: options)
        var record = Record()
        _ = try reader.next(into: &record)
        guard case .malformed(let diagnostic) = try reader.next(into: &record) else {
            Issue.record("a record")
            return
        }
        #expect(diagnostic.message == "the byte 0x80 is not US-ASCII (byte 2 of the undecoded text)")
    }

    @Test func gzipIsReadByEveryReader() throws {
        let expected = try Reading.csv(Self.csv)
        for chunk in Self.chunks {
            #expect(try Reading.csv(Gzip.stored(Array(Self.csv.utf8)), chunkBytes: chunk) == expected)
            let wide = try Gzip.stored(Self.bytes(Self.csv, .utf16LE))
            let options = CSVReader.Options().with { $0.encoding = .utf16LE }
            #expect(try Reading.csv(wide, options, chunkBytes: chunk) == expected)
        }
        #expect(
            Self.json(Gzip.stored(Array(Self.json.utf8)), nil, lines: false)
                == Self.json(Array(Self.json.utf8), nil, lines: false))
        #expect(
            try Self.terms(Gzip.stored(Array("a§b".utf8)), nil) == Self.terms(Array("a§b".utf8), nil))
        let list = Array(
            "<plist version=\"1.0\"><array><dict><key>a</key><integer>1</integer></dict></array></plist>".utf8)
        let reader = PropertyListReader(ByteSource(bytes: Gzip.stored(list), name: "x"))
        #expect(RecordText(reading: reader).outcomes.count == 1)
        #expect(reader.columns == ["a"])
    }

    @Test func aCutIsTheLastThingThatIsSaid() throws {
        let packed = Gzip.stored(Array("a,b\n1,2\n3,4\n".utf8))
        let reading = try Reading.csv(Array(packed.dropLast(12)))
        #expect(reading.outcomes.last == .thrown(code: "source.compressed", line: 1, column: 1, offset: nil))
    }

    /// A field of a gigabyte in a megabyte of gzip meets the limit of a field, not the end of memory.
    @Test func aBombMeetsTheLimits() throws {
        let member = Gzip.member(
            try Deflate.compress([UInt8](repeating: 0x78, count: 24 << 20)), of: [])
        let source = ByteSource(bytes: Gzip.stored(Array("a\n".utf8)) + member, name: "t.csv.gz")
        let reader = try CSVReader(source)
        var record = Record()
        let error = #expect(throws: GranaryError.self) { _ = try reader.next(into: &record) }
        #expect(error?.diagnostics.first?.code == .limitExceeded)
    }
}
