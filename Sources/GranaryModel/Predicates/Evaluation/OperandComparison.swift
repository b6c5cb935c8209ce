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

/// Sets of operands that are equal by ``OperandComparison``.
enum DistinctOperands {
    /// An operand in a hashed set. Equal operands have equal hash values.
    private struct Key: Hashable {
        let operand: PredicateOperand

        static func == (left: Self, right: Self) -> Bool {
            OperandComparison.areEqual(left.operand, right.operand, .bytes)
        }

        func hash(into hasher: inout Hasher) {
            switch operand {
            case .value(let value):
                if let number = ComparedNumber(value) {
                    hasher.combine(number.nearestDouble)
                } else if let text = value.comparedText {
                    TextRule.bytes.withBytes(of: text) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
                } else {
                    hasher.combine(value)
                }
            case .list(let elements): hasher.combine(elements.count)
            case .subject, .reference: hasher.combine(operand.objectReference)
            }
        }
    }

    /// The different values in the order of their first appearance, without NULL.
    static func distinct(_ operands: [PredicateOperand?]) -> [PredicateOperand?] {
        var seen: Set<Key> = []
        return operands.filter { operand in operand.map { seen.insert(Key(operand: $0)).inserted } ?? false }
    }

    static func combined(
        _ left: [PredicateOperand?], _ operation: ObjectExpression.SetOperation, _ right: [PredicateOperand?]
    ) -> [PredicateOperand?] {
        if operation == .union { return distinct(left + right) }
        let other = Set(right.compactMap { $0.map { Key(operand: $0) } })
        return distinct(left).filter { operand in
            guard let operand else { return false }
            return other.contains(Key(operand: operand)) == (operation == .intersect)
        }
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
