import GranaryBase
import Testing

@testable import GranaryFormats

@Suite("CSV: errors and their places")
struct CSVErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: [UInt8]
        let outcomes: [Outcome]
        var options = CSVReader.Options()

        init(_ text: String, _ outcomes: [Outcome], _ options: CSVReader.Options = .init()) {
            self.init(Array(text.utf8), outcomes, options)
        }

        init(_ text: [UInt8], _ outcomes: [Outcome], _ options: CSVReader.Options = .init()) {
            self.text = text
            self.outcomes = outcomes
            self.options = options
        }

        var testDescription: String { String(decoding: text.prefix(60), as: UTF8.self).debugDescription }
    }

    static func bad(_ code: String, _ line: Int, _ column: Int, _ offset: Int, _ record: Int?, _ raw: String) -> Outcome
    {
        .malformed(code: code, line: line, column: column, offset: offset, record: record, raw: Array(raw.utf8))
    }

    static func good(_ fields: [String], _ number: Int, _ line: Int, _ offset: Int, _ raw: String) -> Outcome {
        .record(fields: fields, number: number, line: line, offset: offset, raw: Array(raw.utf8))
    }

    static let cases: [Case] = [
        // A quote inside an unquoted field; reading goes on in the next line.
        Case("a,b\n1,x\"y\n2,z\n", [bad("csv.syntax", 2, 4, 7, 1, "1,x\"y"), good(["2", "z"], 2, 3, 10, "2,z")]),
        Case(
            "a,b\r\n1, \"y\"\r\n2,z\r\n",
            [bad("csv.syntax", 2, 4, 8, 1, "1, \"y\""), good(["2", "z"], 2, 3, 13, "2,z")]),
        // Text behind a closing quote, in a record over two lines.
        Case(
            "a,b\n\"1\n\",\"x\" \n2,z",
            [bad("csv.syntax", 3, 6, 12, 1, "\"1\n\",\"x\" "), good(["2", "z"], 2, 4, 14, "2,z")]),
        Case("a,b\n1,\"x\"y", [bad("csv.syntax", 2, 6, 9, 1, "1,\"x\"y")]),
        // What is broken may leave another quote behind it.
        Case(
            "a,b\n\"x\"y,\"\n1,2\n", [bad("csv.syntax", 2, 4, 7, 1, "\"x\"y,\""), good(["1", "2"], 2, 3, 11, "1,2")]),
        // A quote that is never closed, told where it opens.
        Case(
            "a,b\n1,2\n3,\"x\n4,5\n",
            [
                good(["1", "2"], 1, 2, 4, "1,2"), bad("csv.syntax", 3, 3, 10, 2, "3,\"x"),
                good(["4", "5"], 3, 4, 13, "4,5"),
            ]),
        Case("a,b\n\"", [bad("csv.syntax", 2, 1, 4, 1, "\"")]),
        Case("a,b\n1,\"x\"\"", [bad("csv.syntax", 2, 3, 6, 1, "1,\"x\"\"")]),
        // Too few fields, and too many.
        Case("a,b\n1\n2,z\n", [bad("csv.ragged", 2, 2, 5, 1, "1"), good(["2", "z"], 2, 3, 6, "2,z")]),
        Case("a,b\n1,2,3,4\n2,z\n", [bad("csv.ragged", 2, 5, 8, 1, "1,2,3,4"), good(["2", "z"], 2, 3, 12, "2,z")]),
        Case("a,b\n\"1\n\",\"2\n\",3\n", [bad("csv.ragged", 4, 3, 14, 1, "\"1\n\",\"2\n\",3")]),
        Case("1\n2,3\n", [good(["1"], 1, 1, 0, "1"), bad("csv.ragged", 2, 3, 4, 2, "2,3")], .headerless()),
        // Bytes that are no text.
        Case(
            Array("a,b\n1,x".utf8) + [0xE9] + Array("y\n2,z".utf8),
            [
                .malformed(
                    code: "encoding.invalid", line: 2, column: 4, offset: 7, record: 1,
                    raw: Array("1,x".utf8) + [0xE9] + Array("y".utf8)),
                good(["2", "z"], 2, 3, 10, "2,z"),
            ]),
        Case(
            Array("a,b\n1,".utf8) + [0xC3, 0x2C] + Array("y\n".utf8),
            [
                .malformed(
                    code: "encoding.invalid", line: 2, column: 3, offset: 6, record: 1,
                    raw: Array("1,".utf8) + [0xC3, 0x2C] + Array("y".utf8))
            ]),
        Case("a,b\n1,\u{0}\n", [bad("encoding.invalid", 2, 3, 6, 1, "1,\u{0}")]),
        Case("a,b\n1,\"\r\nx\u{0}\"\n", [bad("encoding.invalid", 3, 2, 10, 1, "1,\"\r\nx\u{0}\"")]),
        // Headers.
        Case("", [.thrown(code: "header.missing", line: 1, column: 1, offset: 0)]),
        Case("\u{FEFF}", [.thrown(code: "header.missing", line: 1, column: 1, offset: 0)]),
        Case("\n\r\n", [.thrown(code: "header.missing", line: 1, column: 1, offset: 0)]),
        Case("a,,c\n", [.thrown(code: "header.missing", line: 1, column: 3, offset: 2)]),
        Case("a,b,\"a\"\n", [.thrown(code: "header.duplicate", line: 1, column: 5, offset: 4)]),
        Case("\na,b\"\n1,2\n", [.thrown(code: "csv.syntax", line: 2, column: 4, offset: 4)]),
        Case("a,\"b\n", [.thrown(code: "csv.syntax", line: 1, column: 3, offset: 2)]),
        Case([0x61, 0x2C, 0xFF, 0x0A], [.thrown(code: "encoding.invalid", line: 1, column: 3, offset: 2)]),
        // Other encodings.
        Case(
            [0xFF, 0xFE, 0x61, 0x00], [.thrown(code: "encoding.invalid", line: 1, column: 1, offset: 0)],
            .init().with { $0.encoding = .windows1252 }),
        Case(
            "\u{FEFF}a\n", [.thrown(code: "encoding.invalid", line: 1, column: 1, offset: 0)],
            .init().with { $0.encoding = .utf16LE }),
        Case([0x61, 0, 0x2C, 0], [.thrown(code: "encoding.invalid", line: 1, column: 1, offset: 0)], .headerless()),
        Case([0, 0x61, 0, 0x2C], [.thrown(code: "encoding.invalid", line: 1, column: 1, offset: 0)], .headerless()),
        // Limits.
        Case(
            "a,b\n1,12345\n", [.thrown(code: "limit.exceeded", line: 2, column: 3, offset: 6)],
            .init().with { $0.maximumFieldBytes = 4 }),
        Case(
            "a,b\n1,\"12\"\"45\"\n", [.thrown(code: "limit.exceeded", line: 2, column: 3, offset: 6)],
            .init().with { $0.maximumFieldBytes = 4 }),
        Case(
            "a,b\n1,\"12\"\"4\"\n", [good(["1", "<12\"4>"], 1, 2, 4, "1,\"12\"\"4\"")],
            .init().with { $0.maximumFieldBytes = 4 }),
        Case(
            "a,b\n1,2\n1,2,3\n",
            [good(["1", "2"], 1, 2, 4, "1,2"), .thrown(code: "limit.exceeded", line: 3, column: 5, offset: 12)],
            .init().with { $0.maximumFields = 2 }),
        Case(
            "a,b\n12,34\n12,345\n",
            [good(["12", "34"], 1, 2, 4, "12,34"), .thrown(code: "limit.exceeded", line: 3, column: 1, offset: 10)],
            .init().with { $0.maximumRecordBytes = 5 }),
    ]

    @Test(arguments: cases, [1, 2, 3, 7, 1 << 16])
    func rejects(_ example: Case, chunkBytes: Int) throws {
        let reading = try Reading.csv(example.text, example.options, chunkBytes: chunkBytes)
        #expect(reading.outcomes == example.outcomes)
    }

    @Test func saysWhatIsWrong() throws {
        func message(_ text: String, _ options: CSVReader.Options = .init()) throws -> String {
            let reader = try CSVReader(ByteSource(bytes: Array(text.utf8), name: "t.csv"), options: options)
            var record = Record()
            do {
                if case .malformed(let diagnostic) = try reader.next(into: &record) { return diagnostic.description }
            } catch { return error.diagnostics.map(\.description).joined(separator: "\n") }
            return ""
        }
        #expect(
            try message("a,b\n1\n")
                == "t.csv:2:2: error: the record has 1 of 2 columns; add the missing \",\" [csv.ragged]"
        )
        #expect(
            try message("a,b\n1,2,3\n")
                == "t.csv:2:5: error: the record has 3 fields, the header has 2; quote a field that holds the delimiter [csv.ragged]"
        )
        #expect(
            try message("a,b\n1,x\"\n")
                == "t.csv:2:4: error: a quote inside an unquoted field; quote the whole field and double the quote (RFC 4180, section 2.5) [csv.syntax]"
        )
        #expect(
            try message("a\n1,2\n", .init().with { $0.maximumFields = 1 }).contains("more than 1 fields, the limit"))
        #expect(
            try message("a\n12\n", .init().with { $0.maximumFieldBytes = 1 }).contains("more than 1 bytes, the limit"))
        #expect(try message("a,b\na,\n\n", .headerless(["x"])).contains("the list of columns has 1"))
        #expect(try message("a,b,a,,b\n").split(separator: "\n").count == 3)
    }

    @Test func namesTheField() throws {
        let reader = try CSVReader(ByteSource(bytes: Array("a,b\n1,x\"\n1\n1,\u{0}\n".utf8), name: "t.csv"))
        var record = Record()
        var fields: [String?] = []
        while case .malformed(let diagnostic) = try reader.next(into: &record) { fields.append(diagnostic.field) }
        #expect(fields == ["b", "b", "b"])
    }

    @Test func repeatsWhatStoppedIt() throws {
        let reader = try CSVReader(ByteSource(bytes: [], name: "t.csv"))
        var record = Record()
        for _ in 0..<3 {
            #expect(throws: GranaryError.self) { _ = try reader.next(into: &record) }
        }
    }

    @Test(arguments: [
        CSVReader.Options().with { $0.delimiter = 0x0A }, .init().with { $0.quote = 0xC3 },
        .init().with { $0.quote = UInt8(ascii: ",") }, .init().with { $0.comment = UInt8(ascii: "\"") },
        .init().with { $0.columns = ["a"] }, .headerless([]), .headerless(["a", ""]), .headerless(["a", "a"]),
        .init().with { $0.skipRows = -1 },
        .init().with { $0.maximumRecordBytes = .max }, .init().with { $0.maximumFields = 0 },
    ])
    func refusesContradictions(_ options: CSVReader.Options) {
        #expect(throws: GranaryError.self) {
            _ = try CSVReader(ByteSource(bytes: [], name: "t.csv"), options: options)
        }
    }
}
