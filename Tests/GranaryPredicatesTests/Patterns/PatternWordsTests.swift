import Testing

@testable import GranaryPredicates

/// Texts enumerated from regular expressions.
@Suite struct PatternWordsTests {
    @Test("All texts of small expressions, each once")
    func small() throws {
        let cases: [(String, ClosedRange<Int>, [String])] = [
            ("a|b|ab", 0...9, ["a", "ab", "b"]), ("[ab]{2}", 0...9, ["aa", "ab", "ba", "bb"]),
            ("(a|b)?c", 0...9, ["ac", "bc", "c"]), ("a*", 2...3, ["aa", "aaa"]), ("^x$", 0...9, ["x"]),
            ("a*", 0...0, [""]),
            ("(ab|a)(c|bc)", 0...9, ["abbc", "abc", "ac"]), ("\\.[0-1]", 0...9, [".0", ".1"]),
        ]
        for (source, lengths, expected) in cases {
            let words = try #require(PatternWords(try Pattern(source), lengths: lengths, isWide: true), "\(source)")
            #expect((0..<words.count).map { words.word(at: $0) }.sorted() == expected, "\(source)")
        }
    }

    @Test("Texts of large expressions match and differ")
    func large() throws {
        let sources = [
            "[A-Z]{2}-[0-9]{4}", "\\w+@\\w+\\.(com|org)", ".{40}", "[a-zA-Z0-9]{8}(-[a-z]{4}){3}", "(?i)abc[x-z]+",
            "\\d{3}\\s\\S+", "[^a-z]{5}", "(a|bc)*d", "x{200}y*", "[äöü]{12}",
        ]
        for source in sources {
            let pattern = try Pattern(source)
            for isWide in [false, true] {
                let words = try #require(PatternWords(pattern, lengths: 0...400, isWide: isWide), "\(source)")
                var seen: Set<String> = []
                for step in 0..<UInt64(300) {
                    let index = words.count <= 300 ? step % words.count : words.count / 300 * step
                    let word = words.word(at: index)
                    #expect(pattern.matchesWhole(word) == .match, "\(source): \(word)")
                    seen.insert(word)
                }
                #expect(seen.count == Int(min(300, words.count)), "\(source)")
            }
        }
    }

    @Test("Neighbours of an expression with very many texts differ")
    func neighbours() throws {
        let words = try #require(PatternWords(try Pattern("[a-z]{30}"), lengths: 0...99, isWide: true))
        #expect(words.count == PatternWords.countLimit)
        #expect(Set((0..<UInt64(1000)).map { words.word(at: $0) }).count == 1000)
        // Not all begin with the same letter.
        #expect(Set((0..<UInt64(1000)).map { words.word(at: $0).prefix(1) }).count > 10)
    }

    @Test("Expressions without texts, with too long ones, or outside the subset")
    func none() throws {
        for (source, lengths) in [
            ("[a&&[b]]", 0...9), ("(?=a)b", 0...9), ("a{5}", 0...4), ("a{5}", 6...9), ("[\\x01-\\x05]", 0...9),
            ("a+", Int.max - 1...Int.max),
        ] {
            #expect(PatternWords(try Pattern(source), lengths: lengths, isWide: true) == nil, "\(source)")
        }
    }
}
