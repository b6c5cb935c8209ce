/// A regular expression that a text must match as a whole, as NSPredicate's `MATCHES` has it.
///
/// The syntax and meaning are ICU's. An expression that is regular in the strict sense is turned into an automaton,
/// which reads a text once at a fixed cost per byte. The rest, and the few texts that the automaton cannot judge (see
/// ``isLinear``), go to ICU, whose work is bounded.
package struct Pattern: Sendable {
    package enum Outcome: Sendable, Hashable {
        case match, noMatch
        /// ICU's limit of steps or memory, or the expression's ``PatternBudget``, was reached. Whether the text matches is
        /// unknown (`value.patternLimit`).
        case limitReached
    }

    /// The longest expression that is accepted, in UTF-8 bytes.
    package static let maximumLength = 10_000

    /// The expression as it was given.
    package let source: String
    private let automaton: PatternAutomaton?
    private let expression: ICUExpression
    private let budget = PatternBudget()

    /// - Parameter ignoringCase: `MATCHES[c]`, as if the expression began with `(?i)`.
    /// - Throws: ``PatternError`` when ICU refuses the expression, it is empty (ICU refuses that too), or it is
    ///   longer than ``maximumLength``.
    package init(_ source: String, ignoringCase: Bool = false) throws(PatternError) {
        guard !source.isEmpty else { throw PatternError(offset: 0, reason: "it is empty") }
        guard source.utf8.count <= Self.maximumLength else {
            throw PatternError(offset: nil, reason: "it is longer than \(Self.maximumLength) bytes")
        }
        let program: Result<PatternProgram, PatternError>
        var parser = PatternParser(source, ignoringCase: ignoringCase)
        do {
            program = .success(try parser.parse())
        } catch {
            program = .failure(error)
        }
        guard let expression = ICUExpression(source, ignoringCase: ignoringCase) else {
            guard case .failure(let error) = program else {
                throw PatternError(offset: nil, reason: "ICU refuses it")
            }
            throw error
        }
        self.source = source
        self.expression = expression
        automaton = (try? program.get()).flatMap(PatternAutomatonBuilder.automaton)
    }

    /// Whether the time is linear in the text's length.
    ///
    /// With `\d`, `\w` or without regard to case this holds for ASCII texts; others are ICU's, which has the Unicode
    /// tables.
    package var isLinear: Bool { automaton != nil }

    /// Whether the whole text matches. Malformed UTF-8 counts as U+FFFD.
    ///
    /// - Complexity: O(*n*) without an allocation where ``isLinear``; else ICU's, which is bounded.
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
