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
                options: .init(delimiter: delimiter, fields: ["name"], ordinal: ordinal, ordinalStart: start)))
    }

    private func readFile(_ bytes: [UInt8], _ delimiter: String = "%", limit: Int = 1000) throws -> Reading {
        var options = TermsReader.Options(delimiter: delimiter, fields: ["name"])
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

    @Test func rejectsInvalidTerms() throws {
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
            try readFile([0x61, 0, 0x62, 0]).outcomes.first
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

    private func readPairs(
        _ text: String, _ delimiter: String = "%", _ fieldDelimiter: String = "=",
        _ fields: [String] = ["key", "name"],
        ordinal: String? = nil
    ) throws -> Reading {
        Reading.of(
            try TermsReader(
                text: text,
                options: .init(delimiter: delimiter, fields: fields, fieldDelimiter: fieldDelimiter, ordinal: ordinal)))
    }

    @Test func readsTermsOfSeveralColumns() throws {
        let reading = try readPairs("A=Airway%B=Breathing", ordinal: "place")
        #expect(reading.columns == ["key", "name", "place"])
        #expect(reading.records == [["<A>", "<Airway>", "0"], ["<B>", "<Breathing>", "1"]])
        #expect(try readPairs("1, a|2, b", "|", ", ").records == [["<1>", "<a>"], ["<2>", "<b>"]])
        #expect(try readPairs("1:a:x", "%", ":", ["a", "b", "c"]).records == [["<1>", "<a>", "<x>"]])
    }

    @Test func aTermMayBeALine() throws {
        for text in ["A=1\nB=2", "A=1\nB=2\n", "A=1\r\nB=2\r\n", "A=1\r\nB=2"] {
            #expect(try readPairs(text, "\n").records == [["<A>", "<1>"], ["<B>", "<2>"]])
            #expect(try readFile(Array(text.utf8), "\n").records == [["<A=1>"], ["<B=2>"]])
        }
        let outcomes = try readPairs("A=1\r\nB\r\n\r\nC=3", "\n", ordinal: "place").outcomes
        #expect(
            outcomes.filter { $0.fields == nil } == [
                Self.bad("terms.syntax", 2, 1, 5, 2, "B"), Self.bad("terms.syntax", 3, 1, 8, 3, ""),
            ])
        #expect(outcomes.last?.fields == ["<C>", "<3>", "3"])
    }

    @Test func everyTermHasAllItsParts() throws {
        let outcomes = try readPairs("A=1%B%C=3=4%=5%D=%E=6").outcomes
        #expect(outcomes.compactMap(\.fields) == [["<A>", "<1>"], ["<E>", "<6>"]])
        #expect(
            outcomes.filter { $0.fields == nil } == [
                Self.bad("terms.syntax", 1, 5, 4, 2, "B"), Self.bad("terms.syntax", 1, 11, 10, 3, "C=3=4"),
                Self.bad("terms.syntax", 1, 13, 12, 4, "=5"), Self.bad("terms.syntax", 1, 18, 17, 5, "D="),
            ])
    }

    @Test func refusesFieldDelimitersThatSayNothing() {
        #expect(throws: GranaryError.self) { try readPairs("a", "%", "") }
        #expect(throws: GranaryError.self) { try readPairs("a", "%", "%") }
        #expect(throws: GranaryError.self) { try readPairs("a", "%", "=%") }
        #expect(throws: GranaryError.self) { try readPairs("a", "%", "\n") }
        #expect(throws: GranaryError.self) { try readPairs("a", "%", "=", ["name"]) }
        #expect(throws: GranaryError.self) { try readPairs("a", "%", "=", ["name", "name"]) }
        #expect(throws: GranaryError.self) { try readPairs("a", "%", "=", ["name", ""]) }
        #expect(throws: GranaryError.self) { try readPairs("a", "%", "=", ordinal: "name") }
        #expect(throws: GranaryError.self) {
            _ = try TermsReader(text: "a", options: .init(delimiter: "%", fields: ["a", "b"], fieldDelimiter: nil))
        }
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

    private func writePairs(_ terms: [[String]], _ delimiter: String, _ fieldDelimiter: String) throws -> [UInt8] {
        let output = ByteOutput.memory()
        let writer = try TermsWriter(output, delimiter: delimiter, fieldDelimiter: fieldDelimiter)
        try writer.beginTable(entity: "Injury", columns: ["key", "name"])
        for term in terms {
            try writer.beginRow()
            for (column, part) in term.enumerated() {
                try Array(part.utf8).withUnsafeBufferPointer { try writer.write(.text($0), column: column) }
            }
            try writer.endRow()
        }
        try writer.endTable()
        try writer.finish(model: nil)
        return output.buffer
    }

    private static func text(of pieces: [String], _ generator: inout SeededGenerator) -> String {
        let first = pieces.randomElement(using: &generator) ?? ""
        return generator.next() & 1 == 0 ? first : first + (pieces.randomElement(using: &generator) ?? "")
    }

    @Test func pairsAreReadBackOrRefused() throws {
        #expect(try writePairs([["A", "Airway"], ["B", "b c"]], "%", "=") == Array("A=Airway%B=b c\n".utf8))
        #expect(throws: GranaryError.self) { try writePairs([["A", ""]], "%", "=") }
        #expect(throws: GranaryError.self) { try writePairs([["A"]], "%", "=") }
        #expect(throws: GranaryError.self) { try writePairs([["A", "a=b"]], "%", "=") }
        var generator = SeededGenerator(seed: 12)
        let pieces = ["a", "aa", "b", "%", "=", " ", "ä"]
        var count = 0
        for _ in 0..<2000 {
            let delimiter = ["%", "aa", "ab", "\n", "=="].randomElement(using: &generator) ?? "%"
            let fieldDelimiter = ["=", "a", "ba", "=b"].randomElement(using: &generator) ?? "="
            var terms: [[String]] = []
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                terms.append([Self.text(of: pieces, &generator), Self.text(of: pieces, &generator)])
            }
            guard let bytes = try? writePairs(terms, delimiter, fieldDelimiter) else { continue }
            count += 1
            let reading = Reading.of(
                try TermsReader(
                    ByteSource(bytes: bytes, name: "t.terms"),
                    options: .init(delimiter: delimiter, fields: ["key", "name"], fieldDelimiter: fieldDelimiter)))
            #expect(
                reading.records == terms.map { $0.map { "<\($0)>" } }, "\(terms) by \(delimiter), \(fieldDelimiter)")
        }
        #expect(count > 100)
    }
}
