/// A regular expression that a text must match as a whole, like NSPredicate's `MATCHES`.
///
/// The syntax and semantics are ICU's. An expression that is regular in the strict sense is compiled to an automaton,
/// which reads a text once at a fixed cost per byte. Other expressions, and the few texts that the automaton cannot
/// decide (see ``isLinear``), are matched by ICU with bounded work.
package struct Pattern: Sendable {
    package enum Outcome: Sendable, Hashable {
        case match, noMatch
        /// ICU's limit of steps or memory, or the expression's ``PatternBudget``, was exceeded, so the result is
        /// unknown (`value.patternLimit`).
        case limitReached
    }

    /// The maximum length of an expression in UTF-8 bytes.
    package static let maximumLength = 10_000

    /// The source text of the expression.
    package let source: String
    let automaton: PatternAutomaton?
    private let expression: ICUExpression
    private let budget = PatternBudget()

    /// - Parameter ignoringCase: `MATCHES[c]`, as if the expression began with `(?i)`.
    /// - Throws: ``PatternError`` if ICU refuses the expression, if it is empty (which ICU also refuses), or if it is
    ///   longer than ``maximumLength``.
    package init(_ source: String, ignoringCase: Bool = false) throws(PatternError) {
        guard !source.isEmpty else { throw PatternError(offset: 0, reason: "it is empty") }
        guard source.utf8.count <= Self.maximumLength else {
            throw PatternError(offset: nil, reason: "it is longer than \(Self.maximumLength) bytes")
        }
        var program: PatternProgram?
        var failure = PatternError(offset: nil, reason: "ICU refuses it")
        var parser = PatternParser(source, ignoringCase: ignoringCase)
        do { program = try parser.parse() } catch { failure = error }
        guard let expression = ICUExpression(source, ignoringCase: ignoringCase) else { throw failure }
        self.source = source
        self.expression = expression
        automaton = program.flatMap(PatternAutomatonBuilder.automaton)
    }

    /// Whether the matching time is linear in the text's length.
    ///
    /// For expressions with `\d`, `\w` or case-insensitivity this is true only for ASCII texts; other texts are matched
    /// by ICU, which has the Unicode tables.
    package var isLinear: Bool { automaton != nil }

    /// Whether the whole text matches. Malformed UTF-8 counts as U+FFFD.
    ///
    /// - Complexity: O(*n*) without an allocation if ``isLinear``; otherwise ICU's, which is bounded.
    package func matchesWhole(_ utf8: UnsafeBufferPointer<UInt8>) -> Outcome {
        if let automaton {
            switch automaton.run(utf8) {
            case .match: return .match
            case .noMatch: return .noMatch
            case .undecided: break
            }
        }
        return budget.spend { expression.matchesWhole(String(decoding: utf8, as: UTF8.self)) } ?? .limitReached
    }

    /// Whether the automaton accepts the whole text. If false, call ``matchesWhole(_:)``.
    package func surelyMatches(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let automaton, case .match = automaton.run(utf8) else { return false }
        return true
    }

    /// Whether the whole text matches.
    package func matchesWhole(_ text: String) -> Outcome {
        var text = text
        return text.withUTF8 { matchesWhole($0) }
    }
}
