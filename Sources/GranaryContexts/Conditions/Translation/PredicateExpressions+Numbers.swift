import Foundation
import GranaryBase
import GranaryPredicates

extension PredicateTranslator {
    fileprivate mutating func calculation(
        _ function: PredicateFunction, _ left: any PredicateExpression, _ right: any PredicateExpression
    ) throws(GranaryError) -> TranslatedExpression {
        let first = try translate(left).expression()
        return .value(.function(function.rawValue, [first, try translate(right).expression()]))
    }
}

extension PredicateExpressions.Arithmetic: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let function: PredicateFunction
        switch op {
        case .add: function = .add
        case .subtract: function = .subtract
        case .multiply: function = .multiply
        @unknown default: throw PredicateTranslator.refused("the operator \(op)")
        }
        return try translator.calculation(function, lhs, rhs)
    }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        let operand = try translator.translate(wrapped).expression()
        return .value(.function(PredicateFunction.subtract.rawValue, [.constant(.integer(0)), operand]))
    }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        try translator.calculation(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        try translator.calculation(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
    func translated(_ translator: inout PredicateTranslator) throws(GranaryError) -> TranslatedExpression {
        try translator.calculation(.modulus, lhs, rhs)
    }
}
