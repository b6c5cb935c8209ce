import GranaryPredicates
import TestSupport

/// Random predicates over a few small values, so that most comparisons come out both ways.
struct RandomPredicate {
    var random: SeededGenerator

    static let operators: [ObjectPredicate.Operator] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith, .contains, .isIn,
        .matches, .like,
    ]

    mutating func value() -> AttributeValue? {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: nil
        case 1, 2: .integer(Int64.random(in: -2...3, using: &random))
        case 3: .double(Double(Int.random(in: -4...6, using: &random)) / 2)
        default: .string(["", "a", "b", "ab", "ba", "aab"].randomElement(using: &random) ?? "")
        }
    }

    mutating func side() -> ObjectExpression {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: .evaluatedObject
        case 2: .keyPath("length")
        default: value().map { .constant($0) } ?? .null
        }
    }

    mutating func predicate(depth: Int) -> ObjectPredicate {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .between(side(), lower: side(), upper: side())
        // NULL in a list is no element, so a list has values only.
        case 1:
            let elements = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in value() }
            return .compare(side(), .isIn, .list(elements.map { .constant($0) }))
        case 2...5: return .compare(side(), Self.operators.randomElement(using: &random) ?? .equal, side())
        case 6: return .not(predicate(depth: depth - 1))
        case 7: return .and((0..<Int.random(in: 0...3, using: &random)).map { _ in predicate(depth: depth - 1) })
        default: return .or((0..<Int.random(in: 0...3, using: &random)).map { _ in predicate(depth: depth - 1) })
        }
    }
}
