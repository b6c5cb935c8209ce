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
