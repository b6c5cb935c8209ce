import GranaryBase

/// A validation rule of the model, its regular expressions compiled.
struct CompiledRule: Sendable {
    private let predicate: ObjectPredicate
    private let message: String
    private let patterns: PatternTable

    init(_ rule: ValidationRule) {
        predicate = rule.predicate
        message = rule.message.isEmpty ? "\(rule.predicate) is not true" : rule.message
        patterns = PatternTable(rule.predicate)
    }

    /// What is wrong with `value`; nil where the rule holds.
    func violation(of value: AttributeValue?) -> Violation? {
        switch predicate.outcome(with: value, patterns: patterns) {
        case .holds: nil
        case .fails: Violation(.valuePredicate, message)
        case .limitReached:
            Violation(
                .valuePatternLimit,
                "the match in \(predicate) was given up at its limit; make the expression simpler")
        }
    }
}

/// The regular expressions of a predicate's `MATCHES`, compiled once for many evaluations.
package struct PatternTable: Sendable {
    private var entries: [(source: String, ignoringCase: Bool, pattern: Pattern)] = []

    package init() {}

    /// Expressions that cannot be compiled are left out; the model check finds them.
    package init(_ predicate: ObjectPredicate) {
        for (source, ignoringCase) in predicate.matchExpressions {
            guard let pattern = try? Pattern(source, ignoringCase: ignoringCase) else { continue }
            entries.append((source, ignoringCase, pattern))
        }
    }

    /// The compiled expression, made on the spot where it is not in the table; nil for a bad one.
    func pattern(_ source: String, ignoringCase: Bool) -> Pattern? {
        // Text compares by its bytes; String's own equality is canonical.
        let known = entries.first { $0.ignoringCase == ignoringCase && $0.source.utf8.elementsEqual(source.utf8) }
        return known?.pattern ?? (try? Pattern(source, ignoringCase: ignoringCase))
    }
}

/// What one evaluation of a predicate works with.
struct PredicateRun {
    let patterns: PatternTable
    var isLimitReached = false
}
