import GranaryBase

/// A validation rule with compiled regular expressions.
struct CompiledRule: Sendable {
    private let predicate: ObjectPredicate
    private let message: String
    private let patterns: PatternTable

    init(_ rule: ValidationRule) {
        predicate = rule.predicate
        message = rule.message.isEmpty ? "\(rule.predicate) is not true" : rule.message
        patterns = PatternTable(rule.predicate)
    }

    /// The violation by `value`; nil if the rule is satisfied.
    func violation(of value: AttributeValue?) -> Violation? {
        switch predicate.outcome(with: value, patterns: patterns) {
        case .holds: nil
        case .fails: Violation(.valuePredicate, message)
        case .limitReached:
            Violation(
                .valuePatternLimit,
                "the match in \(predicate) exceeded its limit; make the expression simpler")
        }
    }
}

/// The compiled regular expressions of a predicate's `MATCHES`.
package struct PatternTable: Sendable {
    private var entries: [(source: String, ignoringCase: Bool, pattern: Pattern)] = []

    package init() {}

    /// Compiles the expressions of a predicate. Invalid expressions are omitted; the model check reports them.
    package init(_ predicate: ObjectPredicate) {
        for (source, ignoringCase) in predicate.matchExpressions {
            guard let pattern = try? Pattern(source, ignoringCase: ignoringCase) else { continue }
            entries.append((source, ignoringCase, pattern))
        }
    }

    /// The compiled expression, compiled now if it is not in the table; nil if it is invalid.
    func pattern(_ source: String, ignoringCase: Bool) -> Pattern? {
        // By bytes, because String compares by canonical equivalence.
        let known = entries.first { $0.ignoringCase == ignoringCase && $0.source.utf8.elementsEqual(source.utf8) }
        return known?.pattern ?? (try? Pattern(source, ignoringCase: ignoringCase))
    }
}

/// The state of one evaluation of a predicate.
struct PredicateRun {
    let patterns: PatternTable
    var isLimitReached = false
}
