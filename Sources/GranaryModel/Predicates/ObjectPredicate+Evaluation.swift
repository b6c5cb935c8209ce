import Foundation
import GranaryBase

/// An object or value that predicates are evaluated on.
package protocol PredicateSubject {
    /// The value of a property; nil if it is NULL or does not exist.
    func predicateValue(forKey key: String) -> PredicateOperand?
    /// The value of `SELF`.
    var predicateSelf: PredicateOperand? { get }
}

/// A value while a predicate is evaluated.
package enum PredicateOperand {
    case value(AttributeValue)
    case list([PredicateOperand])
    /// An object with properties, at the end of a relationship.
    case subject(any PredicateSubject)
}

/// The result of evaluating a predicate.
package enum PredicateOutcome: Sendable, Hashable {
    case holds, fails
    /// A `MATCHES` exceeded ICU's limit, so the result is unknown.
    case limitReached
}

extension ObjectPredicate {
    /// Whether the predicate is true for an attribute's value; `SELF` is the value, nil for NULL.
    ///
    /// A `MATCHES` that exceeds its limit is false; ``outcome(with:patterns:)`` reports it.
    package func evaluate(with value: AttributeValue?) -> Bool {
        evaluate(on: ValueSubject(value: value))
    }

    /// Whether the predicate is true for `subject`.
    package func evaluate(on subject: some PredicateSubject) -> Bool {
        var run = PredicateRun(patterns: PatternTable())
        return evaluate(on: subject, &run)
    }

    /// Evaluates the predicate for an attribute's value, with precompiled `MATCHES` expressions.
    package func outcome(with value: AttributeValue?, patterns: PatternTable) -> PredicateOutcome {
        var run = PredicateRun(patterns: patterns)
        let holds = evaluate(on: ValueSubject(value: value), &run)
        return run.isLimitReached ? .limitReached : (holds ? .holds : .fails)
    }

    /// Recursion is bounded by ``depthLimit``, which the model check enforces.
    private func evaluate(on subject: some PredicateSubject, _ run: inout PredicateRun) -> Bool {
        switch self {
        case .constant(let truth): return truth
        case .and(let parts): return parts.allSatisfy { $0.evaluate(on: subject, &run) }
        case .or(let parts): return parts.contains { $0.evaluate(on: subject, &run) }
        case .not(let part): return !part.evaluate(on: subject, &run)
        case .between(let value, let lower, let upper):
            let operand = value.operand(on: subject)
            return PredicateComparison(operation: .greaterOrEqual, options: [])
                .holds(operand, lower.operand(on: subject), &run)
                && PredicateComparison(operation: .lessOrEqual, options: [])
                    .holds(operand, upper.operand(on: subject), &run)
        case .comparison(let left, let operation, let right, let options):
            return PredicateComparison(operation: operation, options: options)
                .holds(left.operand(on: subject), right.operand(on: subject), &run)
        }
    }
}

extension ObjectExpression {
    fileprivate func operand(on subject: some PredicateSubject) -> PredicateOperand? {
        switch self {
        case .null: return nil
        case .constant(let value): return .value(value)
        case .evaluatedObject: return subject.predicateSelf
        case .list(let elements): return .list(elements.compactMap { $0.operand(on: subject) })
        case .keyPath(let path):
            var keys = path.split(separator: ".")[...]
            var current: PredicateOperand? = .subject(subject)
            if keys.first == "SELF" {
                keys.removeFirst()
                current = subject.predicateSelf
            }
            for key in keys {
                switch current {
                case .subject(let inner)?: current = inner.predicateValue(forKey: String(key))
                case .value(let value)?: current = ValueSubject(value: value).predicateValue(forKey: String(key))
                case .list, nil: return nil
                }
            }
            return current
        }
    }
}

/// An attribute value, whose only property is the `length` of text and binary data.
private struct ValueSubject: PredicateSubject {
    let value: AttributeValue?

    var predicateSelf: PredicateOperand? { value.map(PredicateOperand.value) }

    func predicateValue(forKey key: String) -> PredicateOperand? {
        switch (value, key) {
        // In UTF-16 units, like NSString's `length`.
        case (.string(let text)?, "length"): .value(.integer(Int64(text.utf16.count)))
        case (.binary(let data)?, "length"): .value(.integer(Int64(data.count)))
        default: nil
        }
    }
}
