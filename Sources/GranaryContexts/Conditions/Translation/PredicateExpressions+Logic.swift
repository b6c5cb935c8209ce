import Foundation
import GranaryBase
import GranaryPredicates

extension PredicateExpressions.Conjunction: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let left = try translator.translate(lhs).predicate()
        return .condition(left && (try translator.translate(rhs).predicate()))
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let left = try translator.translate(lhs).predicate()
        return .condition(left || (try translator.translate(rhs).predicate()))
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        .condition(!(try translator.translate(wrapped).predicate()))
    }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let condition = try translator.translate(test).predicate()
        let first = try translator.translate(trueBranch).expression()
        return .value(.conditional(condition, first, try translator.translate(falseBranch).expression()))
    }
}

// MARK: - Comparisons

extension PredicateTranslator {
    fileprivate mutating func comparison(
        _ left: any PredicateExpression, _ operation: ObjectPredicate.Operator, _ right: any PredicateExpression
    ) throws(GranaryError) -> TranslatedExpression {
        let value = try translate(left).expression()
        return .condition(.compare(value, operation, try translate(right).expression()))
    }
}

extension PredicateExpressions.Equal: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        try translator.comparison(lhs, .equal, rhs)
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        try translator.comparison(lhs, .notEqual, rhs)
    }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let operation: ObjectPredicate.Operator
        switch op {
        case .lessThan: operation = .less
        case .lessThanOrEqual: operation = .lessOrEqual
        case .greaterThan: operation = .greater
        case .greaterThanOrEqual: operation = .greaterOrEqual
        @unknown default: throw PredicateTranslator.refused("the operator \(op)")
        }
        return try translator.comparison(lhs, operation, rhs)
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        try translator.comparison(base, .beginsWith, prefix)
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        try translator.comparison(base, .contains, other)
    }
}

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        try translator.comparison(element, .isIn, sequence)
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        guard case .range(let lower, let upper, let isClosed) = try translator.translate(range) else {
            throw PredicateTranslator.refused("contains(_:) of \(RangeExpression.Output.self)")
        }
        let value = try translator.translate(element).expression()
        if isClosed { return .condition(.between(value, lower: lower, upper: upper)) }
        return .condition(.compare(value, .greaterOrEqual, lower) && .compare(value, .less, upper))
    }
}
