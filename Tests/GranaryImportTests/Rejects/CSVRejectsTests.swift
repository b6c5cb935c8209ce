import GranaryBase
import GranaryFormats
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryImport

@Suite struct CSVRejectsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let source: String
        let rejected: [Int]
        let expected: String
        let options: CSVReader.Options

        init(
            _ name: String, _ source: String, _ rejected: [Int], _ expected: String,
            _ change: (inout CSVReader.Options) -> Void = { _ in }
        ) {
            self.name = name
            self.source = source
            self.rejected = rejected
            self.expected = expected
            var options = CSVReader.Options()
            change(&options)
            self.options = options
        }

        var testDescription: String { name }
    }

    static let cases = [
        Case("rows", "a,b\n1,2\n3,4\n5,6\n", [3, 1], "a,b\n1,2\n5,6\n"),
        Case("CR LF, the last line without an end", "a,b\r\n1,2\r\n3,4", [2], "a,b\r\n3,4\r\n"),
        Case("CR", "a,b\r1,2\r3,4\r", [2], "a,b\r3,4\r"),
        Case("the first line's end for all", "a,b\r\n1,2\n3,4\n", [1, 2], "a,b\r\n1,2\r\n3,4\r\n"),
        Case("a byte order mark", "\u{FEFF}a,b\n1,2\n", [1], "\u{FEFF}a,b\n1,2\n"),
        Case("quotes over lines", "a,b\n\"x\r\ny\",\"\"\"q\"\n1,2\n", [1], "a,b\n\"x\r\ny\",\"\"\"q\"\n"),
        Case("a header over lines", "\"a\r\nx\",b\n1,2\n", [1], "\"a\r\nx\",b\n1,2\n"),
        Case("too short and too long", "a,b\n1\n2,3,4\n5,6\n", [1, 2], "a,b\n1\n2,3,4\n"),
        Case("broken quotes", "a,b\n1\"x,2\n3,4\n\"5\"x,6\n", [1, 3], "a,b\n1\"x,2\n\"5\"x,6\n"),
        Case("a quote that is not closed", "a,b\n1,2\n\"x,3\n", [2], "a,b\n\"x,3\n"),
        Case("blank lines", "a,b\n\n1,2\n\n3,4\n", [2], "a,b\n3,4\n"),
        Case("a blank line in one column", "a\n\nx\ny\n", [1], "a\nx\n"),
        Case("tabs", "a\tb\n1\t2\n3\t4\n", [1], "a\tb\n1\t2\n") { $0 = .tsv },
        Case("skipped rows and comments", "one\ntwo, \"x\n#c\na,b\n1,2\n#d\n3,4\n", [2], "one\ntwo, \"x\na,b\n3,4\n") {
            $0.skipRows = 2
            $0.comment = UInt8(ascii: "#")
        },
        Case("skipped rows of CR LF", "\u{FEFF}x\r\n\r\na,b\r\n1,2\r\n", [1], "\u{FEFF}x\r\n\r\na,b\r\n1,2\r\n") {
            $0.skipRows = 2
        },
        Case("no header", "1,2\r\n3,4\n5\n", [1, 3], "1,2\r\n5\r\n") {
            $0.hasHeader = false
            $0.columns = ["a", "b"]
        },
        Case("no header, skipped rows", "x\n1,2\n3,4\n", [2], "x\n3,4\n") {
            $0.hasHeader = false
            $0.skipRows = 1
        },
        Case("a row that begins as a mark does", "1,2\n\u{FEFF}3,4\n", [2], "\u{FEFF}\u{FEFF}3,4\n") {
            $0.hasHeader = false
            $0.columns = ["a", "b"]
        },
    ]

    @Test(arguments: cases, [1, 3, 1 << 16])
    func `Rejected rows stand under their header with their bytes`(_ test: Case, _ chunkBytes: Int) throws {
        let bytes = Array(test.source.utf8)
        let source = RejectsSamples.csv(bytes, options: test.options, chunkBytes: chunkBytes)
        let written = try RejectsSamples.written([RejectsSamples.entry(source, test.rejected)])
        #expect(String(decoding: written, as: UTF8.self) == test.expected)
        // The same command reads the same records.
        let all = try RejectsSamples.records(source)
        let again = try RejectsSamples.records(RejectsSamples.csv(written, options: test.options))
        // A quote that is not closed may or may not take the last line end with it.
        let found = again.map { raw in raw.filter { $0 != 0x0A } }
        let expected = test.rejected.sorted().map { number in all[number - 1].filter { $0 != 0x0A } }
        #expect(found == expected)
    }

    @Test func `Bytes that are no text stay`() throws {
        let bytes: [UInt8] = Array("a,b\n".utf8) + [0xFF, 0x2C, 0x80, 0x0A] + Array("1,2\n".utf8)
        let written = try RejectsSamples.written([RejectsSamples.entry(RejectsSamples.csv(bytes), [1])])
        #expect(written == Array(bytes.dropLast(4)))
    }

    @Test func `Rows to skip that are too long to keep are blank lines`() throws {
        var options = CSVReader.Options()
        options.skipRows = 4
        options.maximumRecordBytes = 8
        let source = RejectsSamples.csv(
            Array("123456\nabcdefghijkl\nx\ny\na,b\n1,2\n".utf8), options: options, chunkBytes: 2)
        let written = try RejectsSamples.written([RejectsSamples.entry(source, [1])])
        let lines = written.split(separator: 0x0A, omittingEmptySubsequences: false)
        try #require(lines.count == 7)
        #expect(lines[0].elementsEqual("123456".utf8) && lines[2].isEmpty && lines[3].isEmpty)
        #expect(lines[4].elementsEqual("a,b".utf8) && lines[5].elementsEqual("1,2".utf8) && lines[6].isEmpty)
    }

    @Test func `One in ten of many rows`() throws {
        var generator = SeededGenerator(seed: 5)
        var text = "id,name\n"
        var expected = "id,name\n"
        var rejected: [Int] = []
        for number in 1...100_000 {
            let row = "\(number),\"name \(number)\nof two lines\"\n"
            text += row
            guard Int.random(in: 0..<10, using: &generator) == 0 else { continue }
            rejected.append(number)
            expected += row
        }
        let written = try RejectsSamples.text([RejectsSamples.entry(RejectsSamples.csv(text), rejected)])
        #expect(written == expected)
    }
}
