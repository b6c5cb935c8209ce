import GranaryBase
import GranaryPredicates

/// A validation rule whose predicate is prepared.
struct CompiledRule: Sendable {
    private let rule: ValidationRule
    /// Nil if the predicate depends on the time, so that it is prepared for each value.
    private let predicate: CompiledPredicate?

    init(_ rule: ValidationRule) {
        self.rule = rule
        predicate = Self.dependsOnTime(rule.predicate) ? nil : CompiledPredicate(rule.predicate)
    }

    private static func dependsOnTime(_ predicate: ObjectPredicate) -> Bool {
        !predicate.isTooDeep
            && predicate.parts.contains { part in
                if case .expression(.function("now", _)) = part { true } else { false }
            }
    }

    /// What is wrong with a value: for `SELF IN {"a", "b"}` the list of the texts, and otherwise the predicate.
    private func message(about value: AttributeValue?) -> String {
        guard case .comparison(let comparison) = rule.predicate, comparison.left == .evaluatedObject,
            comparison.operation == .isIn, comparison.modifier == .direct, case .list(let elements) = comparison.right,
            case .string(let found)? = value
        else { return "\(rule.predicate) is not true" }
        let texts = elements.compactMap { element -> String? in
            if case .constant(.string(let text)) = element { text } else { nil }
        }
        guard !texts.isEmpty, texts.count == elements.count else { return "\(rule.predicate) is not true" }
        return "\"\(Diagnostic.shortened(found))\" is not one of \(AllowedTexts.list(texts, nearest: found))"
    }

    /// The violation by `value`; nil if the rule is satisfied.
    func violation(of value: AttributeValue?) -> Violation? {
        switch (predicate ?? CompiledPredicate(rule.predicate)).outcome(with: value) {
        case .holds: nil
        case .fails:
            Violation(.valuePredicate, rule.message.isEmpty ? message(about: value) : rule.message)
                .breaking(rule.predicate, rule.message)
        case .stopped:
            Violation(
                .valuePatternLimit,
                "the match in \(rule.predicate) exceeded its limit; make the expression simpler")
        }
    }
}
