import Testing

@testable import GranaryPredicates

/// Expressions and texts made to take for ever, or to take all memory.
@Suite struct PatternLimitTests {
    static let manyAs = String(repeating: "a", count: 5_000) + "!"

    @Test(arguments: ["(a|aa)+", "(.*)*x", "(a+)+", "(a*)*b", "(a|a?)+", "((a+)*)+c", "(a{1,30}){1,20}b"])
    func nestedQuantifiersAreLinear(_ source: String) throws {
        let pattern = try Pattern(source)
        #expect(pattern.isLinear)
        #expect(pattern.matchesWhole(Self.manyAs) == .noMatch)
    }

    @Test(arguments: [#"(a|aa)+\1?"#, #"(?=a)(.*)*x"#, #"(\p{L}+)+1"#, #"(.*)(.*)(.*)(.*)(.*)\1b"#])
    func backtrackingIsStoppedAndNotTakenForNoMatch(_ source: String) throws {
        let pattern = try Pattern(source)
        #expect(!pattern.isLinear)
        #expect(pattern.matchesWhole(Self.manyAs) == .limitReached)
    }

    @Test func nonASCIITextOfALinearPatternIsBoundedToo() throws {
        let pattern = try Pattern(#"(\w+)+"#)
        #expect(pattern.isLinear)
        #expect(pattern.matchesWhole(Self.manyAs) == .noMatch)
        #expect(pattern.matchesWhole("é" + Self.manyAs) == .limitReached)
    }

    @Test func stackThatRunsFullIsALimit() throws {
        let pattern = try Pattern("(?:(a|b)(?!c))*c")
        #expect(pattern.matchesWhole(String(repeating: "a", count: 2_000_000)) == .limitReached)
    }

    @Test func longTextWithoutBacktrackingIsWithinTheBound() throws {
        let text = String(repeating: "é1 ", count: 700_000)
        #expect(try Pattern(#"[\p{L}\d ]*"#).matchesWhole(text) == .match)
        #expect(try Pattern("[é1 ]*").matchesWhole(text) == .match)
    }

    @Test func automatonThatWouldExplodeIsLeftToICU() throws {
        for source in ["(a|b)*a(a|b){20}", "a{1,100000}", "((a{1,90}){1,90}){1,90}"] {
            let pattern = try Pattern(source)
            #expect(!pattern.isLinear)
            #expect(pattern.matchesWhole("b") == .noMatch)
        }
    }

    /// A thousand alternatives, each below the limit, are far above it together.
    @Test func alternativesCountTogether() throws {
        let source = Array(repeating: "a{0,6600}", count: 1_000).joined(separator: "|")
        #expect(throws: PatternError.self) {
            var parser = PatternParser(source, ignoringCase: false)
            return try parser.parse()
        }
        var parser = PatternParser(
            String(repeating: "(", count: 900) + "a{50}" + String(repeating: ")", count: 900), ignoringCase: false)
        #expect(try parser.parse().instructions.count == 51)
    }

    @Test func deepNestingDoesNotOverflow() throws {
        let deep = String(repeating: "(", count: 4_000) + "a" + String(repeating: ")", count: 4_000)
        // ICU has its own bound on nesting; either answer is right, a crash is not.
        let pattern = try? Pattern(deep)
        #expect(pattern.map { $0.matchesWhole("a") } ?? .match == .match)
        #expect(throws: PatternError.self) { try Pattern(String(repeating: "(", count: 9_000)) }
    }

    @Test func lengthIsBounded() {
        let long = String(repeating: "a", count: Pattern.maximumLength)
        #expect(throws: Never.self) { try Pattern(long) }
        #expect(throws: PatternError(offset: nil, reason: "it is longer than 10000 bytes")) { try Pattern(long + "a") }
    }
}
