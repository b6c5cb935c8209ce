@testable import GranaryPredicates
import TestSupport
import Testing

/// Generated expressions of the regular subset on generated texts, against ICU.
@Suite struct PatternGeneratedTests {
    @Test(arguments: [1] as [UInt64])
    func automatonAgreesWithICU(_ seed: UInt64) throws {
        var generator = ExpressionGenerator(random: SeededGenerator(seed: seed))
        var pairs = 0
        var matches = 0
        for _ in 0..<450 {
            let source = generator.expression()
            let ignoringCase = generator.isOneIn(6)
            let pattern = try Pattern(source, ignoringCase: ignoringCase)
            guard pattern.isLinear else { continue }
            let twin = try PatternTwin(source, ignoringCase: ignoringCase)
            for _ in 0..<15 {
                let text = generator.text()
                let expected = twin.matchesWhole(text)
                if expected == .limitReached { continue }
                pairs += 1
                if expected == .match { matches += 1 }
                guard pattern.matchesWhole(text) == expected else {
                    Issue.record("\(source) on \(text.debugDescription), ICU says \(expected)")
                    continue
                }
            }
        }
        // Enough of them are linear, and enough of those match, for the comparison to mean something.
        #expect(pairs >= 5_000, "\(pairs)")
        #expect(matches >= pairs / 20, "\(matches)")
    }
}

/// Draws expressions and texts from a small alphabet, so that they often match.
private struct ExpressionGenerator {
    var random: SeededGenerator

    private static let letters = ["a", "b", "c", "A", "k", "1", "_", "-", " ", "\n", "é", "\u{301}", "🐟", "٣"]
    private static let literals = [
        "a", "b", "c", "A", "k", "1", "-", "é", #"\n"#, #"\u0061"#, #"\x62"#, "🐟", #"\."#, #"\ "#,
    ]
    private static let classes = [".", #"\d"#, #"\w"#, #"\s"#, #"\D"#, #"\W"#, #"\S"#]
    private static let members = [
        "a", "b-c", "A-Z", "0-9", #"\d"#, #"\s"#, #"\w"#, #"\W"#, "é", "a-é", #"\n"#, "&.", ".", #"\]"#,
    ]
    private static let quantifiers = [
        "*", "+", "?", "*?", "+?", "??", "{0}", "{2}", "{1,}", "{0,2}", "{1,3}?", "{2,}?",
    ]

    mutating func isOneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

    mutating func text() -> String {
        let isASCII = !isOneIn(3)
        return (0..<Int.random(in: 0...6, using: &random)).map { _ in
            pick(isASCII ? Array(Self.letters.prefix(10)) : Self.letters)
        }
        .joined()
    }

    mutating func expression(depth: Int = 0) -> String {
        let alternatives = (0..<(isOneIn(3) ? 2 : 1)).map { _ in
            (0..<Int.random(in: depth == 0 ? 1...4 : 0...3, using: &random)).map { _ in term(depth) }.joined()
        }
        let result = alternatives.joined(separator: "|")
        return depth == 0 && result.isEmpty || result == "|" ? "a" : result
    }

    private mutating func term(_ depth: Int) -> String {
        let term: String
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return pick(["^", "$", #"\A"#, #"\z"#, #"\Z"#])
        case 1...6: term = pick(Self.literals)
        case 7...10: term = pick(Self.classes)
        case 11...14: term = set()
        default: term = depth < 3 ? pick(["(", "(?:"]) + expression(depth: depth + 1) + ")" : "b"
        }
        return isOneIn(2) ? term + pick(Self.quantifiers) : term
    }

    private mutating func set() -> String {
        let members = (0..<Int.random(in: 1...3, using: &random)).map { _ in pick(Self.members) }.joined()
        return "[" + pick(["", "^"]) + pick(["", "", "-"]) + members + pick(["", "", "-"]) + "]"
    }
}

@Suite struct PatternGeneratedLongTests {
    @Test(arguments: [2, 3, 4] as [UInt64])
    func automatonAgreesWithICU(_ seed: UInt64) throws { try PatternGeneratedTests().automatonAgreesWithICU(seed) }
}
