package import GranaryBase
import GranaryPredicates

extension AttributeDescription {
    /// The rule of the model editor that a value breaks, as the predicate that compiled models have for it; nil for
    /// rules that are no predicates, and for ``validationRules``.
    package func brokenRule(_ code: Diagnostic.Code) -> BrokenRule? {
        let predicate: ObjectPredicate
        switch code {
        case .valueTooSmall, .valueTooEarly:
            guard let minimumValue else { return nil }
            predicate = .compare(.evaluatedObject, .greaterOrEqual, .constant(minimumValue))
        case .valueTooLarge, .valueTooLate:
            guard let maximumValue else { return nil }
            predicate = .compare(.evaluatedObject, .lessOrEqual, .constant(maximumValue))
        case .valueTooShort:
            guard let minimumLength else { return nil }
            predicate = .compare(.keyPath("length"), .greaterOrEqual, .constant(.integer(Int64(minimumLength))))
        case .valueTooLong:
            guard let maximumLength else { return nil }
            predicate = .compare(.keyPath("length"), .lessOrEqual, .constant(.integer(Int64(maximumLength))))
        case .valuePattern:
            guard let regularExpression else { return nil }
            predicate = .compare(.evaluatedObject, .matches, .constant(.string(regularExpression)))
        default: return nil
        }
        return BrokenRule(message: nil, predicate: predicate, text: predicate.description)
    }
}
