import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPredicates
import Testing

@testable import GranaryCommands

/// Tables for people: widths, alignment, cut cells.
struct TableWriterTests {
    /// A table of two columns, `a` and `bb`.
    private func table(
        _ rows: [[AttributeValue?]], width: Int? = nil, columns: [String] = ["a", "bb"]
    ) throws -> [String] {
        var text = ""
        var options = TableWriter.Options()
        options.width = width
        let writer = TableWriter(options: options) { (part) throws(GranaryError) in text += part }
        try writer.beginTable(entity: "E", columns: columns)
        for row in rows {
            try writer.beginRow()
            for (index, value) in row.enumerated() {
                if let value {
                    try value.withBorrowed { (value) throws(GranaryError) in try writer.write(value, column: index) }
                } else {
                    try writer.write(.null, column: index)
                }
            }
            try writer.endRow()
        }
        try writer.endTable()
        try writer.finish(model: nil)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test("Numbers are aligned to the right, NULL differs from the empty text")
    func alignment() throws {
        #expect(try table([]) == ["a  bb", "-  --"])
        #expect(
            try table([[1, ""], [nil, nil], [1000, "x"]]) == [
                "   a  bb", "----  ----", "   1", "NULL  NULL", "1000  x",
            ])
        // A column with text among its numbers is text.
        #expect(try table([[1, 2], ["x", 3]]) == ["a  bb", "-  --", "1   2", "x   3"])
        #expect(try table([[nil, nil]]) == ["a     bb", "----  ----", "NULL  NULL"])
    }

    @Test("Control characters are escaped, wide characters take two columns")
    func characters() throws {
        #expect(try table([["x\ny\t", 1]]) == ["a       bb", "------  --", "x\\ny\\t   1"])
        #expect(try table([["患者", 1], ["ab", 2]]) == ["a     bb", "----  --", "患者   1", "ab     2"])
        #expect(try table([["e\u{301}", 1]]) == ["a  bb", "-  --", "e\u{301}   1"])
    }

    @Test("A table fits its terminal: the widest columns are cut, text before numbers")
    func fitting() throws {
        let long = String(repeating: "x", count: 50)
        let lines = try table([[.string(long), 123_456_789]], width: 20)
        #expect(lines == ["a                 bb", "---------  ---------", "xxxxxxxx…  123456789"])
        #expect(lines.allSatisfy { $0.count == 20 })
        #expect(try table([["ab", .string(long)]], width: 20)[2] == "ab  xxxxxxxxxxxxxxx…")
        #expect(try table([[.string(long), .string(long)]], width: 21)[2] == "xxxxxxxxx…  xxxxxxxx…")
        // A wide character that does not fit as a whole is left out.
        #expect(try table([["患者患者患者", 1]], width: 12)[2] == "患者患…    1")
        // Too narrow for anything: columns keep four characters.
        #expect(try table([[.string(long), .string(long)]], width: 3)[2] == "xxx…  xxx…")
        // Nothing is cut in a file.
        #expect(try table([[.string(long), .string(long)]])[2] == long + "  " + long)
    }

    @Test("The first rows determine the widths; later cells are cut")
    func sample() throws {
        var rows: [[AttributeValue?]] = Array(repeating: ["abc", 1], count: TableWriter.sampleRows)
        rows.append(["abcdef", 2])
        let lines = try table(rows, width: 80)
        #expect(lines.count == rows.count + 2)
        #expect(lines[2] == "abc   1" && lines.last == "ab…   2")
        #expect(try table(rows).last == "abcdef   2")
    }

    @Test("Long values are bounded on a terminal")
    func longValues() throws {
        let text = AttributeValue.string(String(repeating: "y", count: 100_000))
        let lines = try table([[text, nil]], width: 30)
        #expect(lines[2] == String(repeating: "y", count: 23) + "…  NULL")
    }

    @Test("The elements of a list are separated by semicolons")
    func lists() throws {
        var text = ""
        let writer = TableWriter(options: TableWriter.Options()) { (part) throws(GranaryError) in text += part }
        try writer.beginTable(entity: "E", columns: ["l"])
        for numbers in [[1, 2], []] as [[Int64]] {
            try writer.beginRow()
            try writer.beginList(column: 0)
            for number in numbers { try writer.writeElement(.integer(number)) }
            try writer.endList()
            try writer.endRow()
        }
        try writer.endTable()
        try writer.finish(model: nil)
        #expect(text == "l\n---\n1;2\n\n")
    }

    @Test("A long list is cut, with a terminal and without", .timeLimit(.minutes(1)), arguments: [nil, 40])
    func longLists(_ width: Int?) throws {
        for (count, isCut) in [(5000, false), (5001, true), (300_000, true)] {
            var text = ""
            var options = TableWriter.Options()
            options.width = width
            let writer = TableWriter(options: options) { (part) throws(GranaryError) in text += part }
            try writer.beginTable(entity: "E", columns: ["l"])
            try writer.beginRow()
            try writer.beginList(column: 0)
            for _ in 0..<count { try writer.writeElement(.integer(7)) }
            try writer.endList()
            try writer.endRow()
            try writer.endTable()
            try writer.finish(model: nil)
            let line = try #require(text.split(separator: "\n").last)
            if width != nil {
                #expect(line.count == 40 && line.hasSuffix("…"))
            } else {
                // 5,000 elements with their separators have 9,999 characters.
                #expect(line.count == (isCut ? TableWriter.listLength + 1 : 9999) && line.hasSuffix("…") == isCut)
            }
        }
    }
}
