import GranaryBase
import TestSupport
import Testing

@testable import GranaryFormats

/// CSV beyond RFC 4180: escapes, spaces around quotes, rows of delimiters alone, and a line that names the delimiter.
@Suite("CSV with other habits") struct CSVLooseTests {
    private static func options(escape: Bool = false, spaces: Bool = false) -> CSVReader.Options {
        var options = CSVReader.Options()
        options.hasHeader = false
        options.escape = escape ? UInt8(ascii: "\\") : nil
        options.skipsSpaces = spaces
        return options
    }

    /// The fields of each record; a malformed one is `["!"]`.
    private static func read(
        _ text: [UInt8], _ options: CSVReader.Options, chunkBytes: Int = 1 << 18
    ) throws -> [[String]] {
        let reader = try CSVReader(ByteSource(bytes: text, name: "x.csv"), options: options, chunkBytes: chunkBytes)
        var record = Record()
        var result: [[String]] = []
        while true {
            switch try reader.next(into: &record) {
            case .record: result.append(record.fields.map { String(decoding: record.bytes[$0.range], as: UTF8.self) })
            case .malformed: result.append(["!"])
            case .end: return result
            }
        }
    }

    @Test(
        "Escapes",
        arguments: [
            (#"a\,b,c"#, [["a,b", "c"]]), (#""a\"b",c"#, [["a\"b", "c"]]), (#"a\\,c"#, [["a\\", "c"]]),
            // Before other bytes it is text: a path, and MySQL's NULL.
            (#"C:\temp,\N"#, [["C:\\temp", "\\N"]]), ("a\\\nb,c\nd,e", [["a\nb", "c"], ["d", "e"]]),
            ("a\\\r\nb,c\r\nd,e", [["a\r\nb", "c"], ["d", "e"]]), (#"a\"b,c"#, [["a\"b", "c"]]),
            (#""a""b\\",c"#, [["a\"b\\", "c"]]), (#"a,b\"#, [["a", "b\\"]]), (#""a\"#, [["!"]]),
            ("\\\"a,b", [["\"a", "b"]]),
        ])
    func escapes(_ text: String, _ expected: [[String]]) throws {
        for size in [1, 2, 3, 1 << 18] {
            #expect(try Self.read(Array(text.utf8), Self.options(escape: true), chunkBytes: size) == expected)
        }
    }

    @Test(
        "Spaces around quotes",
        arguments: [
            (#"a, "b, c" ,d"#, [["a", "b, c", "d"]]), (#" "a" , b"#, [["a", " b"]]), ("a, ,c", [["a", " ", "c"]]),
            (#"a, "b" x"#, [["!"]]), ("a,\t\"b\"\t", [["a", "b"]]), ("a,  ", [["a", "  "]]),
            (#"a, "b""c" "#, [["a", "b\"c"]]),
        ])
    func spaces(_ text: String, _ expected: [[String]]) throws {
        for size in [1, 2, 3, 1 << 18] {
            #expect(try Self.read(Array(text.utf8), Self.options(spaces: true), chunkBytes: size) == expected)
        }
    }

    @Test("Fields that are written with escapes and spaces come back", arguments: 0..<60)
    func generated(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let letters = Array("ab,\"\\ \n\r;é".utf8)
        var text: [UInt8] = []
        var expected: [[String]] = []
        let width = Int.random(in: 2...4, using: &random)
        for _ in 0..<30 {
            var row: [String] = []
            for column in 0..<width {
                // A first field with a letter, so that no row is blank.
                let count = Int.random(in: column == 0 ? 1...4 : 0...5, using: &random)
                var field = (0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }
                field = Array(String(decoding: field, as: UTF8.self).utf8)
                if column == 0 { field.insert(UInt8(ascii: "x"), at: 0) }
                row.append(String(decoding: field, as: UTF8.self))
                if column > 0 { text.append(UInt8(ascii: ",")) }
                text += Self.written(field, &random)
            }
            expected.append(row)
            text.append(0x0A)
        }
        let options = Self.options(escape: true, spaces: true)
        for size in [1, 7, 1 << 18] { #expect(try Self.read(text, options, chunkBytes: size) == expected) }
    }

    /// A field as one of the dialects' writers could write it.
    private static func written(_ field: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        // An LF behind an escaped CR would be escaped too.
        let isQuoted =
            Bool.random(using: &random) || field.first == 0x20 || field.last == 0x20 || field.last == 0x0D
        var result: [UInt8] =
            isQuoted ? Array(repeating: 0x20, count: Int.random(in: 0...2, using: &random)) + [0x22] : []
        for (index, byte) in field.enumerated() {
            switch byte {
            case 0x22: result += isQuoted && Bool.random(using: &random) ? [0x22, 0x22] : [0x5C, 0x22]
            case 0x5C: result += [0x5C, 0x5C]
            case 0x2C, 0x0A, 0x0D:
                // An LF behind an escaped CR is escaped with it.
                let isSecond = byte == 0x0A && index > 0 && field[index - 1] == 0x0D
                result += isQuoted || isSecond ? [byte] : [0x5C, byte]
            default: result.append(byte)
            }
        }
        if isQuoted { result += [0x22] + Array(repeating: 0x20, count: Int.random(in: 0...2, using: &random)) }
        return result
    }

    @Test("A first line that names the delimiter", arguments: [CSVSplitting.native, .libcsv])
    func separatorLine(_ splitting: CSVSplitting) throws {
        var options = CSVReader.Options()
        options.splitting = splitting
        for (text, delimiter) in [("sep=;\r\na;b\r\n1;2,3\r\n", ";"), ("\u{FEFF}SEP=\t\na\tb\n1\t2,3\n", "\t")] {
            for size in [1, 5, 1 << 18] {
                let reader = try CSVReader(
                    ByteSource(bytes: Array(text.utf8), name: "x.csv"), options: options, chunkBytes: size)
                try reader.readHeader()
                #expect(reader.columns == ["a", "b"])
                #expect(reader.options.delimiter == delimiter.utf8.first)
                #expect(reader.headerPosition(ofColumn: 0)?.line == 2)
                #expect(try reader.preamble()?.skippedRowCount == 1)
                var record = Record()
                guard case .record = try reader.next(into: &record) else { throw GranaryError(.internalDefect, "none") }
                #expect(record.line == 3)
            }
        }
        // A delimiter that is given is not changed, and other first lines are data.
        options.isDelimiterFixed = true
        for text in ["sep=;\nx\n", "sep=;x\ny\n", "sep=\ny\n", "sep"] {
            let reader = try CSVReader(ByteSource(bytes: Array(text.utf8), name: "x.csv"), options: options)
            try reader.readHeader()
            #expect(reader.columns == [String(text.prefix { $0 != "\n" })])
        }
    }

    @Test("Rows of delimiters alone are skipped and counted, or records", arguments: [CSVSplitting.native, .libcsv])
    func blankRows(_ splitting: CSVSplitting) throws {
        let text = Array("a,b\n1,2\n,\n3,\r\n,,\n\n,\"\"\n4,5\n,\n".utf8)
        for isKept in [false, true] {
            var options = CSVReader.Options()
            options.splitting = splitting
            options.blankRows = isKept ? .null : .skip
            let reader = try CSVReader(ByteSource(bytes: text, name: "x.csv"), options: options)
            var rows: [String] = []
            var record = Record()
            try reader.readHeader()
            reading: while true {
                if let chunk = try reader.nextChunk() {
                    for index in 0..<chunk.recordCount {
                        rows.append(String(decoding: chunk.bytes[chunk.raw(of: index)], as: UTF8.self))
                    }
                    continue
                }
                switch try reader.next(into: &record) {
                case .record: rows.append(String(decoding: record.raw, as: UTF8.self))
                case .malformed: rows.append("!")
                case .end: break reading
                }
            }
            #expect(rows == (isKept ? ["1,2", ",", "3,", "!", ",\"\"", "4,5", ","] : ["1,2", "3,", ",\"\"", "4,5"]))
            #expect(reader.skippedBlankRows == (isKept ? 0 : 3))
            #expect(reader.skippedBlankLines == 1)
        }
    }
}
