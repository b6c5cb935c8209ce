import Foundation
import Testing

@testable import GranaryPredicates

@Suite struct CodePointSetTests {
    @Test func classesAreThoseOfICU() throws {
        var all = String.UnicodeScalarView()
        all.append(contentsOf: (0...CodePointSet.last).lazy.compactMap(Unicode.Scalar.init))
        let text = String(all)
        #expect(try icuSet(#"\s"#, in: text) == .space)
        #expect(try icuSet("(?!.)(?s:.)", in: text) == .lineEnds)
        let ascii = String(text.unicodeScalars.prefix(128))
        #expect(try icuSet(#"\d"#, in: ascii) == .digits)
        #expect(try icuSet(#"\w"#, in: ascii) == .word)
    }

    private func icuSet(_ source: String, in text: String) throws -> CodePointSet {
        let all = text as NSString
        let whole = NSRange(location: 0, length: all.length)
        return CodePointSet(
            try NSRegularExpression(pattern: source).matches(in: text, range: whole).flatMap { match in
                all.substring(with: match.range).unicodeScalars.map { $0.value...$0.value }
            })
    }

    @Test func setsAreMergedAndComplemented() {
        let set = CodePointSet([5...6, 0...2, 3...4, 9...CodePointSet.last])
        #expect(set.ranges == [0...6, 9...CodePointSet.last])
        #expect(set.complement.ranges == [7...8])
        #expect(set.complement.complement == set)
        #expect(CodePointSet([]).complement.ranges == [0...CodePointSet.last])
        #expect(CodePointSet([0...CodePointSet.last]).complement.ranges.isEmpty)
    }

    @Test func onlyASCIILettersHaveTwoCases() {
        #expect(
            CodePointSet([0x40...0x42, 0x79...0xFF]).closedOverASCIICase.ranges == [
                0x40...0x42, 0x59...0x5A, 0x61...0x62, 0x79...0xFF,
            ])
    }
}
