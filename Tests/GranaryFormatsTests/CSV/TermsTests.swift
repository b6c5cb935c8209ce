import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryFormats

@Suite("Constant tables")
struct TermsTests {
    private func read(
        _ text: String, _ delimiter: String = "%", ordinal: String? = nil, start: Int64 = 0
    ) throws -> Reading {
        Reading.of(
            try TermsReader(
                text: text,
                options: .init(delimiter: delimiter, attribute: "name", ordinal: ordinal, ordinalStart: start)))
    }

    private func readFile(_ bytes: [UInt8], _ delimiter: String = "%", limit: Int = 1000) throws -> Reading {
        var options = TermsReader.Options(delimiter: delimiter, attribute: "name")
        options.maximumBytes = limit
        return Reading.of(try TermsReader(ByteSource(bytes: bytes, name: "t.terms"), options: options))
    }

    static func bad(_ code: String, _ line: Int, _ column: Int, _ offset: Int, _ record: Int, _ raw: String) -> Outcome
    {
        .malformed(code: code, line: line, column: column, offset: offset, record: record, raw: Array(raw.utf8))
    }

    @Test func readsTheInjuries() throws {
        let table = "Blunt Trauma%Burn%C-Spine%Cardiac%Crushing%Fracture%Laceration%Penetration"
        let reading = try read(table, ordinal: "key")
        #expect(reading.columns == ["name", "key"])
        #expect(reading.records.map { $0[1] } == (0..<8).map { "\($0)" })
        #expect(reading.records.map { $0[0] } == table.split(separator: "%").map { "<\($0)>" })
        #expect(try read(table, ordinal: "key", start: -3).records.map { $0[1] } == (-3..<5).map { "\($0)" })
    }

    @Test func takesAnyDelimiter() throws {
        #expect(try read("a, b, c", ", ").records == [["<a>"], ["<b>"], ["<c>"]])
        #expect(try read(" a %b", "%").records == [["< a >"], ["<b>"]])
        #expect(try read("a→b", "→").records == [["<a>"], ["<b>"]])
        #expect(try read("xaaa", "aa").records == [["<x>"], ["<a>"]])
        #expect(try readFile(Array("a\nb\n".utf8), "\n").records == [["<a>"], ["<b>"]])
        #expect(try read("one").records == [["<one>"]])
    }

    @Test func dropsOneLineEndOfAFile() throws {
        for end in ["", "\n", "\r\n", "\r"] {
            #expect(try readFile(Array("\u{FEFF}a%b\(end)".utf8)).records == [["<a>"], ["<b>"]])
        }
        #expect(try readFile(Array("a%b\n\n".utf8)).outcomes.last == Self.bad("terms.syntax", 1, 4, 3, 2, "b\n"))
    }

    @Test func refusesWhatIsNoTerm() throws {
        #expect(try read("").outcomes == [Self.bad("terms.syntax", 1, 1, 0, 1, "")])
        #expect(try readFile([0xEF, 0xBB, 0xBF, 0x0A]).outcomes == [Self.bad("terms.syntax", 1, 1, 3, 1, "")])
        let reading = try read("%a%%b%", ordinal: "key")
        #expect(reading.records == [["<a>", "1"], ["<b>", "3"]])
        #expect(
            reading.outcomes.filter { $0.fields == nil } == [
                Self.bad("terms.syntax", 1, 1, 0, 1, ""), Self.bad("terms.syntax", 1, 4, 3, 3, ""),
                Self.bad("terms.syntax", 1, 7, 6, 5, ""),
            ])
        #expect(
            try read("a%b\r\nc%%d").outcomes.filter { $0.fields == nil } == [
                Self.bad("terms.syntax", 1, 4, 3, 2, "b\r\nc"), Self.bad("terms.syntax", 2, 3, 7, 3, ""),
            ])
        #expect(try read("a%\u{0}").outcomes.last == Self.bad("encoding.invalid", 1, 3, 2, 2, "\u{0}"))
        #expect(
            try readFile([0x61, 0x25, 0x62, 0xFF]).outcomes.last
                == .malformed(code: "encoding.invalid", line: 1, column: 4, offset: 3, record: 2, raw: [0x62, 0xFF]))
        #expect(
            try readFile([0xFF, 0xFE, 0x61, 0]).outcomes.first
                == .thrown(code: "encoding.invalid", line: 1, column: 1, offset: 0))
        #expect(try read("a%b", ordinal: "key", start: .max).outcomes.last == Self.bad("value.range", 1, 3, 2, 2, "b"))
        #expect(
            try readFile([UInt8](repeating: 0x61, count: 1001)).outcomes
                == [.thrown(code: "limit.exceeded", line: nil, column: nil, offset: nil)])
    }

    @Test func refusesContradictions() {
        #expect(throws: GranaryError.self) { try read("a", "") }
        #expect(throws: GranaryError.self) { try read("a", "%", ordinal: "name") }
    }

    private func write(_ terms: [String?], _ delimiter: String) throws -> [UInt8] {
        let output = ByteOutput.memory()
        let writer = try TermsWriter(output, delimiter: delimiter)
        try writer.beginTable(entity: "Injury", columns: ["name"])
        for term in terms {
            try writer.beginRow()
            if let term { try Array(term.utf8).withUnsafeBufferPointer { try writer.write(.text($0), column: 0) } }
            try writer.endRow()
        }
        try writer.endTable()
        try writer.finish(model: nil)
        return output.buffer
    }

    @Test func writes() throws {
        #expect(try write(["a", " b", "c"], "%") == Array("a% b%c\n".utf8))
        #expect(try write([], "%").isEmpty)
    }

    @Test(arguments: [["a", "b%c"], ["a", nil], ["a", ""], ["a", "b\n"], ["a", "\r"]])
    func refusesToWrite(_ terms: [String?]) {
        let error = #expect(throws: GranaryError.self) { try write(terms, "%") }
        #expect(error?.message.hasPrefix("row 2: ") == true)
        #expect(error?.diagnostics.first?.code == .termsSyntax)
    }

    @Test func refusesOtherTables() throws {
        let writer = try TermsWriter(.memory(), delimiter: "%")
        #expect(throws: GranaryError.self) { try writer.beginTable(entity: "E", columns: ["a", "b"]) }
        try writer.beginTable(entity: "E", columns: ["a"])
        #expect(throws: GranaryError.self) { try writer.beginTable(entity: "F", columns: ["a"]) }
        #expect(throws: GranaryError.self) { _ = try TermsWriter(.memory(), delimiter: "") }
    }

    /// What is written is read back as it was, or refused before.
    @Test func isReadBackOrRefused() throws {
        var generator = SeededGenerator(seed: 11)
        let pieces = ["a", "aa", "b", "%", " ", "ä", "\u{FEFF}"]
        var count = 0
        for _ in 0..<2000 {
            let delimiter = ["%", "aa", "ab", "aba", "\n", "\r", "b\n"].randomElement(using: &generator) ?? "%"
            let terms = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                (0..<Int.random(in: 1...3, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? ""
                }.joined()
            }
            guard let bytes = try? write(terms, delimiter) else { continue }
            count += 1
            let reading = try readFile(bytes, delimiter)
            let found = reading.records.map { $0.map { Array($0.utf8) } }
            #expect(found == terms.map { [Array("<\($0)>".utf8)] }, "\(terms) by \(delimiter.debugDescription)")
        }
        #expect(count > 500)
    }
}
