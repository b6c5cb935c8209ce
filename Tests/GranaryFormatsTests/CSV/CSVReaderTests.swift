import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryFormats

@Suite("CSV: what is read")
struct CSVReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let records: [[String]]
        var options = CSVReader.Options.headerless()
        var skipped = 0
        var testDescription: String { text.debugDescription }
    }

    static let cases: [Case] = [
        Case(text: "a,b\nc,d\n", records: [["a", "b"], ["c", "d"]]),
        Case(text: "a,b\r\nc,d\r\n", records: [["a", "b"], ["c", "d"]]),
        Case(text: "a,b\rc,d\r", records: [["a", "b"], ["c", "d"]]),
        Case(text: "a,b\rc,d\r\ne,f\ng,h", records: [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]),
        Case(text: "a,b\nc,d", records: [["a", "b"], ["c", "d"]]),
        Case(text: " a , b\t\n", records: [[" a ", " b\t"]]),
        Case(text: ",\n\"\",\"\"\n", records: [["", ""], ["<>", "<>"]]),
        Case(text: "\"a,\"\"b\"\"\",\"c\r\nd\"\n", records: [["<a,\"b\">", "<c\r\nd>"]]),
        Case(text: "\"a\r\",b", records: [["<a\r>", "b"]]),
        Case(text: "a,", records: [["a", ""]]),
        Case(text: "a,\"\"", records: [["a", "<>"]]),
        Case(text: "\u{FEFF}a,b\n", records: [["a", "b"]]),
        Case(text: "\u{FEFF}\"a\",b\n\u{FEFF}c,d\n", records: [["<a>", "b"], ["\u{FEFF}c", "d"]]),
        Case(text: "\u{FEFF}\"\u{FEFF}a\",b\n", records: [["<\u{FEFF}a>", "b"]]),
        Case(text: "", records: []),
        Case(text: "\u{FEFF}", records: []),
        // Blank lines.
        Case(text: "a\n\nb\n", records: [["a"], [""], ["b"]]),
        Case(text: "\r\na\r\n\r\nb\r\n", records: [[""], ["a"], [""], ["b"]]),
        Case(text: "\n\n", records: [[""], [""]]),
        Case(text: "\n\na,b\n\r\n\rc,d\n\n", records: [["a", "b"], ["c", "d"]], skipped: 5),
        Case(text: "\n", records: [], options: .headerless(["x", "y"]), skipped: 1),
        Case(text: "a\n \n", records: [["a"], [" "]]),
        // Other dialects.
        Case(
            text: "a\tb,c\n'd\t''e'\tf\n", records: [["a", "b,c"], ["<d\t'e>", "f"]],
            options: .tsv.with {
                $0.hasHeader = false
                $0.quote = UInt8(ascii: "'")
            }),
        Case(
            text: "x;y\n1;2\n", records: [["1", "2"]], options: .init().with { $0.delimiter = UInt8(ascii: ";") }),
        Case(
            text: "title\n\"unclosed\n\nx,y\n1,2\n", records: [["1", "2"]], options: .init().with { $0.skipRows = 3 }),
        Case(
            text: "one\r\ntwo\r\n1,2\r\n", records: [["1", "2"]], options: .headerless().with { $0.skipRows = 2 }),
        Case(text: "one\n", records: [], options: .headerless().with { $0.skipRows = 9 }),
        Case(
            text: "#a \"\nx,y\n#,\"\n1,#2\n# last", records: [["1", "#2"]],
            options: .init().with { $0.comment = UInt8(ascii: "#") }),
        Case(
            text: "\"#a\"\r\n#b\r\n\"\n#c\n\"\r\n#d\r\n", records: [["<#a>"], ["<\n#c\n>"]],
            options: .headerless().with { $0.comment = UInt8(ascii: "#") }),
        Case(text: "a\u{0}b\n", records: [["a\u{0}b"]], options: .headerless().with { $0.allowsNUL = true }),
    ]

    @Test(arguments: cases, [1, 2, 3, 7, 1 << 16])
    func reads(_ example: Case, chunkBytes: Int) throws {
        let reading = try Reading.csv(Array(example.text.utf8), example.options, chunkBytes: chunkBytes)
        #expect(reading.records == example.records)
        #expect(reading.outcomes.count == example.records.count, "\(reading.outcomes)")
        #expect(reading.skippedBlankLines == example.skipped)
    }

    @Test func namesColumns() throws {
        #expect(try Reading.csv("id,\"full name\"\n1,Ann\n").columns == ["id", "full name"])
        #expect(try Reading.csv("1,Ann\n", .headerless()).columns == ["column1", "column2"])
        #expect(try Reading.csv("1,Ann\n", .headerless(["id", "name"])).columns == ["id", "name"])
        #expect(try Reading.csv("", .headerless(["id", "name"])).columns == ["id", "name"])
    }

    @Test func tellsWhereARecordStands() throws {
        let reading = try Reading.csv("\u{FEFF}a,b\r\n\"x\r\ny\",2\r\n\r\n# 3,4\n")
        #expect(
            reading.outcomes == [
                .record(fields: ["<x\r\ny>", "2"], number: 1, line: 2, offset: 8, raw: Array("\"x\r\ny\",2".utf8)),
                .record(fields: ["# 3", "4"], number: 2, line: 5, offset: 20, raw: Array("# 3,4".utf8)),
            ])
    }

    @Test func tellsWhereAFieldStands() throws {
        let reader = try CSVReader(ByteSource(bytes: Array("a,b,c\n1,\"x\n\"\"\",3\n".utf8), name: "t"))
        var record = Record()
        guard case .record = try reader.next(into: &record) else { return #expect(Bool(false), "no record") }
        let places = record.fields.map { record.position(of: $0, file: "t") }
        #expect(places.map(\.line) == [2, 2, 3])
        #expect(places.map(\.column) == [1, 3, 5])
        #expect(places.map(\.byteOffset) == [6, 8, 15])
        #expect(record.fields.map(\.column) == [0, 1, 2])
    }

    @Test func staysAtTheEnd() throws {
        let reader = try CSVReader(ByteSource(bytes: Array("a\n1\n".utf8), name: "t"))
        var record = Record()
        _ = try reader.next(into: &record)
        for _ in 0..<3 {
            guard case .end = try reader.next(into: &record) else { return #expect(Bool(false), "not the end") }
        }
    }

    @Test func readsFiles() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a,b\n1,2\n", to: "ä b.csv")
        #expect(Reading.of(try CSVReader(ByteSource(url: file))).records == [["1", "2"]])
        #expect(try CSVReader(ByteSource(path: file.path)).sourceName == file.path)
    }
}
