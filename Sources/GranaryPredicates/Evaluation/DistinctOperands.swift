import Foundation
import GranaryBase

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
