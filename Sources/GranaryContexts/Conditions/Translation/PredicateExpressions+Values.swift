import Foundation
import GranaryBase
import GranaryPredicates

extension PredicateExpressions.Variable: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        try translator.value(of: key)
    }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        .value(.null)
    }
}

extension PredicateExpressions.Value: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        if let optional = value as? any OptionalValue, optional.isNil { return .value(.null) }
        if let range = value as? any ConstantRange, let bounds = range.bounds { return bounds }
        guard let argument = value as? any PredicateArgument else {
            throw PredicateTranslator.refused("a value of the type \(Output.self)")
        }
        return .value(argument.predicateExpression)
    }
}

private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNil: Bool { self == nil }
}

// MARK: - Ranges

/// A range of values that can be constants.
private protocol ConstantRange {
    var bounds: TranslatedExpression? { get }
}

extension ClosedRange: ConstantRange {
    fileprivate var bounds: TranslatedExpression? {
        guard let lower = lowerBound as? any PredicateArgument, let upper = upperBound as? any PredicateArgument
        else { return nil }
        return .range(lower.predicateExpression, upper.predicateExpression, isClosed: true)
    }
}

extension Range: ConstantRange {
    fileprivate var bounds: TranslatedExpression? {
        guard let lower = lowerBound as? any PredicateArgument, let upper = upperBound as? any PredicateArgument
        else { return nil }
        return .range(lower.predicateExpression, upper.predicateExpression, isClosed: false)
    }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let first = try translator.translate(lower).expression()
        return .range(first, try translator.translate(upper).expression(), isClosed: true)
    }
}

extension PredicateExpressions.Range: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let first = try translator.translate(lower).expression()
        return .range(first, try translator.translate(upper).expression(), isClosed: false)
    }
}

// MARK: - Optionals

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        try translator.translate(inner)
    }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let value = try translator.translate(wrapped).expression()
        switch try translator.translate(transform, where: variable.key, is: .value(value)) {
        case .condition(let condition): return .optional(condition, of: value)
        case .value(let result) where result.isPath: return .value(result)
        case let result:
            return .value(.conditional(.compare(value, .equal, .null), .null, try result.expression()))
        }
    }
}

extension ObjectExpression {
    /// Whether it is a key path, which is NULL after NULL.
    fileprivate var isPath: Bool {
        switch self {
        case .keyPath, .path: true
        default: false
        }
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let left = try translator.translate(lhs)
        let right = try translator.translate(rhs)
        if case .optional(let condition, let value) = left {
            return .condition(Self.joined(condition, of: value, try right.predicate()))
        }
        let value = try left.expression()
        return .value(.conditional(.compare(value, .notEqual, .null), value, try right.expression()))
    }

    private static func joined(
        _ condition: ObjectPredicate, of value: ObjectExpression, _ otherwise: ObjectPredicate
    ) -> ObjectPredicate {
        let isThere = ObjectPredicate.compare(value, .notEqual, .null)
        let isMissing = ObjectPredicate.compare(value, .equal, .null)
        return switch otherwise {
        case .constant(false): isThere && condition
        case .constant(true): isMissing || condition
        default: (isThere && condition) || (isMissing && otherwise)
        }
    }
}
