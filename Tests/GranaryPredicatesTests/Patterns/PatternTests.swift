@testable import GranaryPredicates
import Testing

/// Expressions of real models and of each corner of the syntax, on texts that tell right from nearly right.
@Suite struct PatternTests {
    static let emailExpression = #"\A[^@]+@([^@\.]+\.)+[^@\.]+\z"#

    /// Expressions of the regular subset.
    static let regular: [(String, [String])] = [
        (
            emailExpression,
            ["a@b.c", "a@b", "@b.c", "a@@b.c", "a@b..c", "ünal@exämple.de", "a@b.c.", "a\n@b.c", "a@b.c\n", "🐟@b.c"]
        ),
        (#"[A-Z]{3}[0-9]{4}"#, ["ABC1234", "ABC123", "ABC12345", "abc1234", "ABC123４", "ABC1234\n"]),
        (#"\+?[0-9][0-9 ()\-]{6,18}[0-9]"#, ["+49 (30) 1234-567", "12345678", "1234567", "+", "+49 30 12345 67x"]),
        (#"(\+\d{1,3}[ -]?)?\d{3}-\d{4}"#, ["555-1234", "+1 555-1234", "+1-555-1234", "555-12345", "५55-1234"]),
        (#"^\w+([.-]\w+)*$"#, ["a.b-c", "a..b", ".a", "straße", "a-", "naïve.x", "a\n", "a_1"]),
        (#"\S+\s\S+"#, ["a b", "a\u{A0}b", "a\u{85}b", "a  b", "a\u{3000}b", "a\u{1C}b", "a\u{180E}b", "a\u{200B}b"]),
        (#"\D\W\w"#, ["a-b", "1-b", "a-é", "abc", "---"]),
        (".+", ["a", "", "a\nb", "a\u{B}", "a\u{2028}", "a\u{85}", "e\u{301}", "👨‍👩‍👧", "\u{0}", "\u{10FFFF}"]),
        ("...", ["abc", "ab", "abcd", "e\u{301}x", "äöü", "🐟🐟🐟"]),
        ("é", ["é", "e\u{301}", "e"]),
        (#"[^\d\s]*"#, ["abc", "a1", "a b", "é", "٣", ""]),
        (#"[a-c\-x\]]+"#, ["a-b", "]", "x", "d", "\\"]),
        ("[-a]+", ["-a", "b"]), ("[a-]+", ["a-", "b"]), ("[]a]+", ["]a", "b"]), ("[^]a]+", ["b", "]"]),
        ("[a&b]+", ["a&b", "c"]), ("[a b]+", ["a b"]), ("[a^$.*(]+", ["a^$.*(", "b"]), ("]", ["]", "[]"]),
        (#"[\w-]+"#, ["a-b", "a b"]), (#"[\w.]+"#, ["a.b"]), (#"[^\S]"#, [" ", "a"]),
        ("[ä-ü]+", ["äöü", "aou", "ÿ"]), ("[^a-zä]", ["A", "a", "ä", "ö", "🐟"]), ("[🐟-🐡]", ["🐠", "🐢"]),
        ("a|bc|", ["a", "bc", "", "b", "abc"]), ("(a|ab)(c|bcd)", ["abcd", "ac", "abc", "abbcd", "ab"]),
        ("a|ab", ["ab", "a", "abb"]), ("(?:a|b)*?c", ["abac", "c", "ab"]), ("(?<name1>a)+", ["aa", ""]),
        ("a{2,4}", ["a", "aa", "aaaa", "aaaaa"]), ("a{2,}", ["a", "aa", "aaaaaa"]), ("a{0}", ["", "a"]),
        ("(ab?){2,3}?", ["a", "aab", "ababab", "aaaa"]), ("(a?){3}", ["", "aaa", "aaaa"]), ("(a*)*", ["", "aaa", "b"]),
        ("((a|)+b)*", ["", "ab", "b", "aabb", "a"]), ("()", ["", "a"]), ("(|a)b", ["b", "ab"]),
        ("a{0,1000}", [String(repeating: "a", count: 1000), String(repeating: "a", count: 1001)]),
        ("[^@]{1,255}", [String(repeating: "é", count: 255), String(repeating: "é", count: 256), ""]),
        ("^a$", ["a", "a\n", "\na"]), (#"\Aa\Z"#, ["a", "a\n"]), ("a#b", ["a#b", "a"]), ("a^b", ["ab", "a"]),
        ("(^a|b)*", ["ab", "ba", "aa"]),
        (#"(a\z|b)*"#, ["ba", "ab"]), (#"\z\A"#, ["", "a"]), (#"a?\z\A"#, ["", "a"]), ("(a$|b$)", ["a", "b", "ab"]),
        ("a*$|b", ["", "aa", "b"]),
        (#"\t\n\r\f\a\e\u0041\x42\x{43}\x444\U00000045"#, ["\t\n\r\u{C}\u{7}\u{1B}ABCD4E"]),
        (#"\.\*\+\?\(\)\[\]\{\}\|\^\$\\\/\-\ \""#, [#".*+?()[]{}|^$\/- ""#]), ("\u{0}+", ["\u{0}\u{0}"]),
        ("(?i)ab[c-e]k", ["aBCK", "ABEk", "abk", "ab\u{E9}k", "abc\u{212A}"]), ("(?i)[^a]s", ["As", "bS", "b\u{17F}"]),
    ]

    /// What only ICU knows.
    static let beyond: [(String, [String])] = [
        (#"(a|b)c\1"#, ["aca", "acb"]), ("(?=a)[a-z]+", ["abc", "bc"]), ("(?<=a)b|ab", ["b", "ab"]), ("a*+a", ["aaa"]),
        ("(?>a|ab)c", ["ac", "abc"]), (#"\bfoo\b"#, ["foo"]), (#"\p{Lu}\p{L}*"#, ["Ärger", "ärger"]),
        ("[[:alpha:]]+", ["abcä", "a1"]), ("[a-z&&[^b]]+", ["ac", "abc"]), ("[a-z--[b]]+", ["ac", "abc"]),
        (#"\Qa.b\E+"#, ["a.bb", "axb"]), (#"\Qa.b"#, ["a.b", "axb"]), (#"\Qa\"#, [#"a\"#, "a"]),
        ("a$\n", ["a\n", "a"]),
        ("(?x) a b # tail", ["ab", "a b"]), ("(?x: a b )c", ["abc"]), ("a(?#note)b", ["ab"]), ("a(?i)b", ["aB", "AB"]),
        ("(?s).+", ["a\nb"]), ("(?i)straße", ["STRASSE", "strasse", "Straße"]),
        (#"\R"#, ["\r\n", "\n"]), (#"\X"#, ["e\u{301}", "ab"]), (#"\h\v"#, ["\t\n", "ab"]), (#"\07"#, ["\u{7}"]),
        ("(a|b)*a(a|b){13}", ["a" + String(repeating: "b", count: 13), String(repeating: "b", count: 14)]),
    ]

    @Test(arguments: regular) func regularExpressionIsLinearAndAgreesWithICU(_ source: String, _ texts: [String]) throws
    {
        let pattern = try Pattern(source)
        #expect(pattern.isLinear)
        try compare(pattern, texts)
    }

    @Test(arguments: beyond) func theRestIsLeftToICU(_ source: String, _ texts: [String]) throws {
        let pattern = try Pattern(source)
        #expect(!pattern.isLinear)
        try compare(pattern, texts)
    }

    private func compare(_ pattern: Pattern, _ texts: [String]) throws {
        // The twin's own parenthesis must not fall into a comment or a quotation.
        let ending =
            pattern.source.contains("# tail")
            ? "\n" : pattern.source.hasPrefix(#"\Qa.b\E"#) ? "" : pattern.source.hasPrefix(#"\Q"#) ? "\\E" : ""
        let twin = try PatternTwin(pattern.source + ending)
        for text in texts {
            let expected = twin.matchesWhole(text)
            try #require(expected != .limitReached)
            #expect(pattern.matchesWhole(text) == expected, "\(pattern.source) on \(text.debugDescription)")
        }
    }

    @Test func theWholeTextMustMatch() throws {
        let pattern = try Pattern("a|ab")
        #expect(pattern.matchesWhole("ab") == .match)
        #expect(pattern.matchesWhole("xa") == .noMatch)
        #expect(pattern.matchesWhole("a\n") == .noMatch)
        #expect(try Pattern(Self.emailExpression).matchesWhole("jo@example.com") == .match)
        #expect(try Pattern(Self.emailExpression).matchesWhole("jo@example") == .noMatch)
    }

    @Test(arguments: ["[A-Z]k", "(a|b)\\1?K"]) func ignoringCaseIsAsTheFlag(_ source: String) throws {
        let pattern = try Pattern(source, ignoringCase: true)
        for text in ["ak", "AK", "Ak", "bK", "1k", "a\u{212A}", "é"] {
            let expected = try PatternTwin(source, ignoringCase: true).matchesWhole(text)
            try #require(expected != .limitReached)
            #expect(pattern.matchesWhole(text) == expected, "\(text)")
        }
        #expect(try Pattern(source).matchesWhole("ak") == .noMatch)
    }

    @Test(arguments: [
        [0x61, 0xFF], [0x61, 0xC3], [0x61, 0xED, 0xA0, 0x80], [0x61, 0xC0, 0x80], [0x61, 0xF4, 0x90, 0x80, 0x80],
        [0x61, 0xE0, 0x81, 0xA2], [0x61, 0xF0, 0x80, 0x81, 0xA2],
    ])
    func malformedTextCountsAsReplacementCharacters(_ bytes: [UInt8]) throws {
        let any = try Pattern("a\u{FFFD}+")
        let none = try Pattern("a[b-d\u{80}-\u{90}\u{E000}-\u{E010}]*")
        bytes.withUnsafeBufferPointer { buffer in
            #expect(any.matchesWhole(buffer) == .match)
            #expect(none.matchesWhole(buffer) == .noMatch)
        }
    }

    @Test func manyTasksMayUseOnePattern() async throws {
        let linear = try Pattern(Self.emailExpression)
        let backtracking = try Pattern(#"(\w)\w*\1"#)
        let failures = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var failures = 0
                    for number in 0..<200 {
                        let name = "x\(task)y\(number)"
                        if linear.matchesWhole("\(name)@b.c") != .match { failures += 1 }
                        if backtracking.matchesWhole("\(name)x") != .match { failures += 1 }
                        if backtracking.matchesWhole("\(name)z") != .noMatch { failures += 1 }
                    }
                    return failures
                }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
    }
}
