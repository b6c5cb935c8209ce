import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryFormats

@Suite("CSV: what is written")
struct CSVWriterTests {
    /// Writes rows of texts (nil is NULL) and gives back the bytes.
    private func write(
        _ rows: [[String?]], columns: [String], _ options: CSVWriter.Options = .init()
    ) throws -> [UInt8] {
        let output = ByteOutput.memory()
        let writer = try CSVWriter(output, options: options)
        try writer.beginTable(entity: "E", columns: columns)
        for row in rows {
            try writer.beginRow()
            for (index, text) in row.enumerated() {
                guard let text else {
                    // One NULL is written, the next left out.
                    if index % 2 == 0 { try writer.write(.null, column: index) }
                    continue
                }
                try Array(text.utf8).withUnsafeBufferPointer { try writer.write(.text($0), column: index) }
            }
            try writer.endRow()
        }
        try writer.endTable()
        try writer.finish(model: nil)
        return output.buffer
    }

    private func text(
        _ rows: [[String?]], columns: [String] = ["a", "b"], _ change: (inout CSVWriter.Options) -> Void = { _ in }
    ) throws -> String {
        var options = CSVWriter.Options()
        change(&options)
        return String(decoding: try write(rows, columns: columns, options), as: UTF8.self)
    }

    @Test func quotesWhatNeedsIt() throws {
        #expect(try text([["x", "y z"], [nil, ""], ["", nil]]) == "a,b\nx,y z\n,\"\"\n\"\",\n")
        #expect(try text([["a,b", "c\"d"], ["e\nf", "g\rh"]]) == "a,b\n\"a,b\",\"c\"\"d\"\n\"e\nf\",\"g\rh\"\n")
        #expect(try text([["NULL", nil], ["", "null"]]) { $0.null = "NULL" } == "a,b\n\"NULL\",NULL\n\"\",null\n")
        #expect(try text([["#1", "#2"]]) { $0.comment = UInt8(ascii: "#") } == "a,b\n\"#1\",#2\n")
        #expect(try text([[" x", "y "]]) == "a,b\n x,y \n")
        #expect(try text([["x", nil]], columns: ["\u{FEFF}a", ""]) == "\"\u{FEFF}a\",\"\"\nx,\n")
        // A blank line would be skipped when it is read.
        #expect(throws: GranaryError.self) { try text([[nil], ["x"]], columns: ["a"]) }
        #expect(try text([[nil], ["x"]], columns: ["a"]) { $0.null = "-" } == "a\n-\nx\n")
        #expect(try text([["a,b", "c\td"]]) { $0 = .tsv } == "a\tb\na,b\t\"c\td\"\n")
        #expect(try text([]) == "a,b\n")
    }

    @Test func writesLists() throws {
        func list(_ elements: [String], _ change: (inout CSVWriter.Options) -> Void = { _ in }) throws -> String {
            var options = CSVWriter.Options()
            options.hasHeader = false
            change(&options)
            let output = ByteOutput.memory()
            let writer = try CSVWriter(output, options: options)
            try writer.beginTable(entity: "E", columns: ["a", "b", "c"])
            try writer.beginRow()
            try writer.beginList(column: 1)
            for element in elements {
                try Array(element.utf8).withUnsafeBufferPointer { try writer.writeElement(.text($0)) }
            }
            try writer.endList()
            try writer.endRow()
            try writer.finish(model: nil)
            return String(decoding: output.buffer, as: UTF8.self)
        }
        #expect(try list([]) == ",,\n")
        #expect(try list(["x"]) == ",x,\n")
        #expect(try list(["x", "y"]) == ",x;y,\n")
        #expect(try list(["x;y", "z"]) == ",\"\"\"x;y\"\";z\",\n")
        #expect(try list(["x,y", "z"]) == ",\"x,y;z\",\n")
        #expect(try list([""]) == ",\"\"\"\"\"\",\n")
        // An import splits a list by double quotes in every dialect.
        #expect(try list(["x;y", "'z", "d'e"]) { $0.quote = UInt8(ascii: "'") } == ",'\"x;y\";''z;d''e',\n")
        #expect(try list(["x", "y;z"]) { $0.listSeparator = UInt8(ascii: "|") } == ",x|y;z,\n")
    }

    @Test func readsItsListsBack() throws {
        var generator = SeededGenerator(seed: 5)
        let pieces = ["", ";", "\"", "a", "ä", ",", "\n"]
        for _ in 0..<500 {
            let elements = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? ""
                }.joined()
            }
            var text: [UInt8] = []
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ";")) }
                let start = text.count
                text += Array(element.utf8)
                ListText.quoteElement(at: start, of: &text, separator: UInt8(ascii: ";"))
            }
            #expect(try elementsOf(text) == elements)
        }
    }

    @Test(arguments: ["a\"b", "\"a\"b", "\"a", "a;\"b\" ", "\"\"\""])
    func refusesBrokenLists(_ text: String) {
        #expect(throws: ValueTextError.self) { try elementsOf(Array(text.utf8)) }
    }

    private func elementsOf(_ text: [UInt8]) throws -> [String] {
        var list = ListText()
        var element: [UInt8] = []
        var found: [String] = []
        try text.withUnsafeBufferPointer { text in
            while try list.next(of: text, into: &element) { found.append(String(decoding: element, as: UTF8.self)) }
        }
        return found
    }

    @Test func refusesMisuse() throws {
        let writer = try CSVWriter(.memory())
        #expect(throws: GranaryError.self) { try writer.beginRow() }
        try writer.beginTable(entity: "E", columns: ["a", "b"])
        let error = #expect(throws: GranaryError.self) { try writer.beginTable(entity: "F", columns: ["a"]) }
        #expect(error?.code == .usage)
        try writer.beginRow()
        try writer.write(.integer(1), column: 1)
        #expect(throws: GranaryError.self) { try writer.write(.integer(1), column: 0) }
        #expect(throws: GranaryError.self) { try writer.write(.integer(1), column: 2) }
        #expect(throws: GranaryError.self) { try writer.writeElement(.integer(1)) }
        for change: (inout CSVWriter.Options) -> Void in [
            { $0.null = "a,b" }, { $0.delimiter = 0x0A }, { $0.quote = $0.delimiter }, { $0.listSeparator = $0.quote },
            {
                $0.comment = UInt8(ascii: "#")
                $0.null = "#N/A"
            },
        ] {
            var options = CSVWriter.Options()
            change(&options)
            let options2 = options
            #expect(throws: GranaryError.self) { _ = try CSVWriter(.memory(), options: options2) }
        }
    }

    /// What the reader makes of it: NULL for a bare field with the text of NULL.
    private func roundTrip(_ rows: [[String?]], _ options: CSVWriter.Options) throws {
        let columns = (0..<(rows.first?.count ?? 1)).map { "c\($0)" }
        let bytes = try write(rows, columns: columns, options)
        var reading = CSVReader.Options()
        reading.delimiter = options.delimiter
        reading.quote = options.quote
        reading.hasHeader = options.hasHeader
        reading.columns = options.hasHeader ? nil : columns
        reading.comment = options.comment
        reading.allowsNUL = true
        #expect(try values(bytes, reading, null: options.null) == rows.map { $0.map { $0.map { Array($0.utf8) } } })
    }

    /// Compared as bytes: a string's own equality takes composed and decomposed text for the same.
    private func values(_ bytes: [UInt8], _ options: CSVReader.Options, null: String) throws -> [[[UInt8]?]] {
        let reader = try CSVReader(ByteSource(bytes: bytes, name: "t.csv"), options: options, chunkBytes: 1000)
        var record = Record()
        var result: [[[UInt8]?]] = []
        while true {
            switch try reader.next(into: &record) {
            case .record:
                result.append(
                    record.fields.map { field in
                        let value = Array(record.bytes[Int(field.start)..<Int(field.end)])
                        return field.kind == .text && value == Array(null.utf8) ? nil : value
                    })
            case .malformed(let diagnostic): throw diagnostic
            case .end: return result
            }
        }
    }

    @Test(arguments: 0..<6)
    func isReadBack(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) + 100)
        let pieces = [
            ",", "\"", "\n", "\r", "\r\n", "a", "é", "e\u{301}", "\u{FEFF}", "#", " ", "NULL", "\u{0}", "'", "\t", ";",
            "😀",
        ]
        for _ in 0..<150 {
            var options = Int.random(in: 0..<3, using: &generator) == 0 ? CSVWriter.Options.tsv : CSVWriter.Options()
            options.hasHeader = Bool.random(using: &generator)
            if Bool.random(using: &generator) { options.comment = UInt8(ascii: "#") }
            if Bool.random(using: &generator) { options.quote = UInt8(ascii: "'") }
            if Bool.random(using: &generator) { options.null = "NULL" }
            let width = Int.random(in: 1...3, using: &generator)
            if width == 1 { options.null = "NULL" }
            let rows: [[String?]] = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in
                (0..<width).map { _ in
                    guard Int.random(in: 0..<4, using: &generator) > 0 else { return nil }
                    return (0..<Int.random(in: 0..<5, using: &generator))
                        .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
                }
            }
            try roundTrip(rows, options)
        }
    }

    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
    func keepsNaughtyStrings() throws {
        let data = try Data(contentsOf: SharedFiles.url("corpora/blns/blns.json"))
        let strings = try JSONDecoder().decode([String].self, from: data)
        #expect(strings.count > 500)
        try roundTrip(strings.map { [$0] }, .init())
        try roundTrip(strings.map { ["x", $0, nil] }, .tsv)
    }
}
