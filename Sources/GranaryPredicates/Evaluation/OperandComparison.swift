import Foundation
import GranaryBase

/// Equality and order of evaluated operands.
enum OperandComparison {
    static func areEqual(_ left: PredicateOperand?, _ right: PredicateOperand?, _ rule: TextRule) -> Bool {
        switch (left, right) {
        case (nil, nil): return true
        case (.value(let left)?, .value(let right)?): return left.isEqual(to: right, rule)
        case (.list(let left)?, .list(let right)?):
            return left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1, rule) }
        case (let left?, let right?):
            guard let left = left.objectReference, let right = right.objectReference else { return false }
            return left == right
        default: return false
        }
    }

    /// Negative, zero or positive; nil if a side is NULL or the two have no common order.
    static func order(_ left: PredicateOperand?, _ right: PredicateOperand?, _ rule: TextRule) -> Int? {
        guard case .value(let left)? = left, case .value(let right)? = right else { return nil }
        return left.order(to: right, rule)
    }
}

extension AttributeValue {
    func isEqual(to other: AttributeValue, _ rule: TextRule) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left == right
        case (.string(let left), .string(let right)): rule.areEqual(left, right)
        case (.uuid(let left), .uuid(let right)): left == right
        case (.binary(let left), .binary(let right)): left == right
        default: order(to: other, rule) == 0
        }
    }

    /// Negative, zero or positive; nil if the two kinds have no common order.
    func order(to other: AttributeValue, _ rule: TextRule) -> Int? {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : (left > right ? 1 : 0)
        case (.string(let left), .string(let right)): return rule.order(left, right)
        case (.date(let left), .date(let right)):
            return left < right ? -1 : (left > right ? 1 : (left == right ? 0 : nil))
        case (.uuid(let left), .uuid(let right)): return left == right ? 0 : (left < right ? -1 : 1)
        case (.binary(let left), .binary(let right)):
            return left == right ? 0 : (left.lexicographicallyPrecedes(right) ? -1 : 1)
        default: break
        }
        if let left = ComparedNumber(self), let right = ComparedNumber(other) { return left.order(to: right) }
        if let left = comparedText, let right = other.comparedText { return rule.order(left, right) }
        return nil
    }
}

extension ComparedNumber {
    /// The number as the nearest double. Equal numbers have the same one.
    var nearestDouble: Double {
        switch self {
        case .integer(let value): Double(value)
        case .decimal(let value): value.nearestDouble
        case .real(let value): value
        }
    }
}
