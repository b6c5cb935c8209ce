import Testing

@testable import GranaryPredicates

@Suite struct PatternErrorTests {
    @Test(
        arguments: [
            ("", 0, "it is empty"),
            ("a(b", 1, "\"(\" is not closed"),
            ("(?:a", 0, "\"(\" is not closed"),
            ("é)", 2, "\")\" closes nothing"),
            ("a)(?:b", 1, "\")\" closes nothing"),
            ("a[b", 1, "\"[\" is not closed"),
            ("[]", 0, "\"[\" is not closed"),
            ("[z-a]", 3, "the range ends before it starts"),
            ("*a", 0, "nothing stands before \"*\" that could be repeated"),
            ("a|+", 2, "nothing stands before \"+\" that could be repeated"),
            ("a**", 2, "a second quantifier for the same term"),
            ("a{3,2}", 1, "the upper bound is less than the lower one"),
            ("a{x}", 2, "a number is missing"),
            ("a{1", 1, "\"{\" is not closed"),
            ("{1}", 0, "\"{\" must be written as \"\\{\" here"),
            ("a}", 1, "\"}\" must be written as \"\\}\" here"),
            ("ab\\", 2, "a backslash at the end"),
            ("\\u12", 0, "not the number of a character"),
            ("\\x{110000}", 0, "not the number of a character"),
        ] as [(String, Int, String)])
    func mistakeIsNamedWithItsPlace(_ source: String, _ offset: Int, _ reason: String) {
        #expect(throws: PatternError(offset: offset, reason: reason)) { try Pattern(source) }
    }

    @Test(arguments: [
        "(?<=a", "\\p{Nonsense}", "(?<1>a)", "(?z)a", "[[a]", "(a)\\2", "(?<a>b)(?<a>c)", "(?<=a*)b", "a{99999999999}",
    ])
    func whatOnlyICURefusesIsRefused(_ source: String) {
        #expect(throws: PatternError.self) { try Pattern(source) }
    }

    @Test func descriptionCountsBytesFromOne() {
        #expect(
            PatternError(offset: 4, reason: "\"(\" is not closed").description
                == "byte 5 of the regular expression: \"(\" is not closed")
        #expect(
            PatternError(offset: nil, reason: "ICU refuses it").description == "the regular expression: ICU refuses it")
    }
}
