import Foundation
import GranaryModel
import TestSupport
import Testing

@testable import GranaryPredicates

@Suite struct PredicateTextTests {
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        TextRule.bytes.withBytes(of: text) { text in
            TextRule.bytes.withBytes(of: pattern) { LikePattern($0).matches(text) }
        }
    }

    @Test(
        arguments: [
            ("", "", true), ("", "*", true), ("", "?", false), ("abc", "abc", true), ("abc", "ab", false),
            ("abc", "a*", true), ("abc", "*c", true), ("abc", "*b*", true), ("abc", "a?c", true), ("abc", "a?", false),
            ("abc", "???", true), ("abc", "????", false), ("a\nb", "a?b", true), ("a\nb", "a*b", true),
            ("aé", "a?", true), ("é", "?", true), ("e\u{301}", "?", false), ("e\u{301}", "??", true), ("😀", "?", true),
            ("a*b", "a\\*b", true), ("axb", "a\\*b", false), ("a?b", "a\\?b", true), ("a\\b", "a\\\\b", true),
            ("a\\", "a\\", true), ("é", "\\é", true), ("aXbXc", "a*X*c", true), ("mississippi", "*sip*", true),
            ("mississippi", "m*iss*ppi", true), ("mississippi", "m*iss*ppx", false),
        ] as [(String, String, Bool)])
    func like(_ text: String, _ pattern: String, _ expected: Bool) {
        #expect(Self.matches(text, pattern) == expected)
        let predicate = ObjectPredicate.compare(.evaluatedObject, .like, .constant(.string(pattern)))
        #expect(predicate.evaluate(with: .string(text)) == expected)
        // A pattern that is no constant is prepared at evaluation.
        let reversed = ObjectPredicate.compare(.constant(.string(text)), .like, .evaluatedObject)
        #expect(reversed.evaluate(with: .string(pattern)) == expected)
    }

    @Test(
        arguments: [
            ("ABC", .like, "a*C", .caseInsensitive, true), ("Äbc", .like, "a?C", [.caseInsensitive], false),
            ("Äbc", .like, "a?C", [.caseInsensitive, .diacriticInsensitive], true),
            ("éa", .matches, "e.", .diacriticInsensitive, true), ("éa", .matches, "é.", .diacriticInsensitive, true),
            ("ÉA", .matches, "e.", [.caseInsensitive, .diacriticInsensitive], true),
            ("ABC", .equal, "abc", [.caseInsensitive, .normalized], false),
            ("abc", .equal, "abc", .normalized, true),
            ("ABC", .matches, "abc", [.caseInsensitive, .normalized], false),
            ("ABC", .contains, "b", [.caseInsensitive, .localeSensitive], true),
            ("abc", .contains, "B", .localeSensitive, false), ("abc", .equal, "abc", .localeSensitive, true),
            ("abc", .equal, "abd", .localeSensitive, false),
            ("ABC", .equal, "abc", [.caseInsensitive, .localeSensitive], true),
            ("ÄB", .isIn, "xäby", [.caseInsensitive], true),
        ] as [(AttributeValue, ObjectPredicate.Operator, AttributeValue, ObjectPredicate.Options, Bool)])
    func options(
        _ left: AttributeValue, _ operation: ObjectPredicate.Operator, _ right: AttributeValue,
        _ options: ObjectPredicate.Options, _ expected: Bool
    ) {
        let sides: [(ObjectExpression, ObjectExpression, AttributeValue)] = [
            (.evaluatedObject, .constant(right), left), (.constant(left), .evaluatedObject, right),
        ]
        for (first, second, value) in sides {
            let predicate = ObjectPredicate.compare(first, operation, second, options: options)
            #expect(predicate.evaluate(with: value) == expected)
        }
    }

    /// The obvious second implementation.
    private static func naive(_ text: Substring.UnicodeScalarView, _ pattern: Substring.UnicodeScalarView) -> Bool {
        guard let wanted = pattern.first else { return text.isEmpty }
        if wanted == "*" {
            return naive(text, pattern.dropFirst()) || (!text.isEmpty && naive(text.dropFirst(), pattern))
        }
        guard let scalar = text.first else { return false }
        if wanted == "?" { return naive(text.dropFirst(), pattern.dropFirst()) }
        return wanted == scalar && naive(text.dropFirst(), pattern.dropFirst())
    }

    private static func text(
        _ letters: [String], upTo count: Int, _ random: inout SeededGenerator
    ) -> String {
        (0..<Int.random(in: 0...count, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
            .joined()
    }

    @Test(arguments: 0..<10)
    func likeAgreesWithTheNaiveMatcher(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<300 {
            let text = Self.text(["a", "b", "é", "\u{301}"], upTo: 8, &random)
            let pattern = Self.text(["a", "b", "é", "*", "?"], upTo: 6, &random)
            let expected = Self.naive(Substring(text).unicodeScalars, Substring(pattern).unicodeScalars)
            if Self.matches(text, pattern) != expected { Issue.record("\(text.debugDescription) LIKE \(pattern)") }
        }
    }

    @Test(arguments: 0..<10)
    func foldingAgreesWithFoundation(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let ascii = (UInt8(0)..<128).map { String(UnicodeScalar($0)) }
        let others = ["é", "É", "\u{301}", "ß", "İ", "Σ", "ﬁ", "😀", "Å", "\u{30AB}\u{3099}"]
        for index in 0..<200 {
            let text = Self.text(index % 2 == 0 ? ascii : ascii + others + others + others, upTo: 20, &random)
            for (options, folding) in [
                (.caseInsensitive, .caseInsensitive), (.diacriticInsensitive, .diacriticInsensitive),
                ([.caseInsensitive, .diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive]),
            ] as [(ObjectPredicate.Options, String.CompareOptions)] {
                let expected = Array(text.folding(options: folding, locale: nil).utf8)
                if TextRule(options).foldedBytes(text) != expected { Issue.record("\(text.debugDescription)") }
            }
        }
    }

    @Test(arguments: 0..<10)
    func searchAgreesWithTheNaiveOne(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for index in 0..<300 {
            // Long texts of one letter reach the search without backtracking.
            let letters = index % 3 == 0 ? ["a", "a", "a", "a", "a", "a", "b"] : ["a", "b"]
            let text = Array(Self.text(letters, upTo: 60, &random).utf8)
            let part = Array(Self.text(letters, upTo: 8, &random).utf8)
            let expected =
                part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
            let found = text.withUnsafeBufferPointer { text in
                part.withUnsafeBufferPointer { ByteText.contains(text, $0) }
            }
            if found != expected { Issue.record("\(part) in \(text)") }
        }
    }

    @Test func aRepetitiveSearchIsLinear() {
        let text = [UInt8](repeating: 0x61, count: 400_000)
        let part = [UInt8](repeating: 0x61, count: 100_000) + [0x62]
        let found = text.withUnsafeBufferPointer { text in
            part.withUnsafeBufferPointer { ByteText.contains(text, $0) }
        }
        #expect(!found)
    }

    @Test func longListsOfConstantsAreSearchedAsShortOnes() {
        let members: [AttributeValue] = [
            3, 2.5, .decimal(7), true, "b", "Ä", .uri(URL(filePath: "/a")), .binary(Data([1])),
        ]
        let values: [AttributeValue?] = [
            nil, 3, 3.0, .decimal(3), 2.5, 7, 7.0, 1, false, "b", "B", "ä", .string(URL(filePath: "/a").absoluteString),
            .binary(Data([1])), .binary(Data([2])), .double(.nan),
        ]
        for options in [[], .caseInsensitive, .normalized] as [ObjectPredicate.Options] {
            for value in values {
                let list = ObjectPredicate.compare(
                    .evaluatedObject, .isIn, .list(members.map { .constant($0) }), options: options)
                let single = members.contains {
                    ObjectPredicate.compare(.evaluatedObject, .equal, .constant($0), options: options)
                        .evaluate(with: value)
                }
                #expect(list.evaluate(with: value) == single, "\(String(describing: value))")
            }
        }
    }
}
