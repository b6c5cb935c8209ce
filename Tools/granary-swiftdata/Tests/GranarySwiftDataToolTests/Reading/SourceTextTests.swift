import SwiftParser
import SwiftSyntax
import Testing

@testable import granary_swiftdata

@Suite struct SourceTextTests {
    @Test(arguments: [
        "", "a", "a\nb\r\nc\rd\n\n\r\r\n", "let é = \"\"\"\r\n  a\n  \"\"\" // b\rvar c", "\n", "\r", "\r\n",
    ])
    func placesAreThoseOfSwiftSyntax(text: String) {
        let converter = SourceLocationConverter(fileName: "", tree: Parser.parse(source: text))
        let source = SourceText(Array(text.utf8))
        for offset in 0...text.utf8.count {
            let expected = converter.location(for: AbsolutePosition(utf8Offset: offset))
            #expect(source.place(offset: offset) == SourcePlace(line: expected.line, column: expected.column))
        }
    }

    @Test(arguments: [
        ("abc", 0, 9, 2, "ab"), ("aé漢🙂b", 1, 99, 3, "é漢🙂"), ("abc", 2, 1, 5, ""), ("abc", -1, 2, 5, "ab"),
    ])
    func textIsBounded(text: String, start: Int, end: Int, limit: Int, expected: String) {
        #expect(SourceText(Array(text.utf8)).text(from: start, to: end, limit: limit) == expected)
    }

    @Test func textHasNoSpaceAndCommentsAround() throws {
        #expect(try Snippet.variable("let x = /* a */ a[ 0 ] // b").initialValue == .other("a[ 0 ]"))
    }
}
