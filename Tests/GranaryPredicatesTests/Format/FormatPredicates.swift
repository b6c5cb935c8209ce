import Foundation
import GranaryPredicates
import TestSupport

/// Makes trees that the format language can write exactly.
struct FormatPredicates {
    private static let keys = ["a", "name", "in", "SIZE", "first", "null", "é", "_x1", "cast", "Self", "union", "語"]
    private static let texts = ["", "x", "\"'\\", "\n\r\t\0\u{1B}\u{9F}", "é語😀\u{301}", "%@ %K", "$x #in", "\u{2028}"]

    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0..<elements.count)]
    }

    mutating func predicate(_ depth: Int = 0) -> ObjectPredicate {
        switch number(0..<(depth > 4 ? 5 : 9)) {
        case 0: return .constant(number(0..<2) == 0)
        case 1...4: return comparison(depth)
        case 5: return .not(predicate(depth + 1))
        case 6: return .and(predicates(depth))
        default: return .or(predicates(depth))
        }
    }

    private mutating func predicates(_ depth: Int) -> [ObjectPredicate] {
        (0..<number(2..<4)).map { _ in predicate(depth + 1) }
    }

    private mutating func comparison(_ depth: Int) -> ObjectPredicate {
        let left = expression(depth + 1)
        let right = expression(depth + 1)
        let options = ObjectPredicate.Options(rawValue: number(0..<3) == 0 ? number(0..<32) : 0)
        let modifier = pick([ObjectPredicate.Modifier.direct, .direct, .any, .all])
        return .compare(
            left, pick(ObjectPredicate.Operator.allCases), right, options: options, modifier: modifier)
    }

    mutating func expression(_ depth: Int = 0) -> ObjectExpression {
        switch number(0..<(depth > 5 ? 6 : 16)) {
        case 0: return .evaluatedObject
        case 1: return .null
        case 2: return .variable(pick(Self.keys))
        case 3: return .keyPath(path())
        case 4, 5: return .constant(value())
        case 6: return .list(expressions(0..<4, depth))
        case 7:
            let name = pick([
                "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:", "bitwiseAnd:with:",
                "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
            ])
            return .function(name, expressions(2..<3, depth))
        case 8: return .function(pick(["sum:", "uppercase:", "foo:", "onesComplement:"]), expressions(1..<2, depth))
        case 9: return .function(pick(["now", "random", "foo"]), [])
        case 10: return .function(pick(["modulus:by:", "max:", "a:b:"]), expressions(2..<3, depth))
        case 11: return .method(pick(["foo:", "b c"]), of: expression(depth + 1), expressions(0..<3, depth))
        case 12:
            return .subquery(expression(depth + 1), variable: pick(Self.keys), predicate(depth + 1))
        case 13: return .conditional(predicate(depth + 1), expression(depth + 1), expression(depth + 1))
        case 14: return .element(of: expression(depth + 1), index(depth))
        default: return combinedOrPath(depth)
        }
    }

    private mutating func combinedOrPath(_ depth: Int) -> ObjectExpression {
        if number(0..<2) == 0 {
            return .combined(
                expression(depth + 1), pick([.union, .intersect, .minus]), expression(depth + 1))
        }
        switch expression(depth + 1) {
        // A path of a path is one path.
        case .evaluatedObject, .keyPath, .path: return .keyPath(path())
        case let base: return .path(path(), of: base)
        }
    }

    private mutating func expressions(_ count: Range<Int>, _ depth: Int) -> [ObjectExpression] {
        (0..<number(count)).map { _ in expression(depth + 1) }
    }

    private mutating func index(_ depth: Int) -> ObjectExpression.Index {
        switch number(0..<4) {
        case 0: .first
        case 1: .last
        case 2: .size
        default: .at(expression(depth + 1))
        }
    }

    private mutating func path() -> String {
        (0..<number(1..<4)).map { _ in (number(0..<6) == 0 ? "@" : "") + pick(Self.keys) }.joined(separator: ".")
    }

    mutating func value() -> AttributeValue {
        switch number(0..<9) {
        case 0: return .integer(pick([0, 1, -1, .min, .max, 1_000]))
        case 1: return .boolean(number(0..<2) == 0)
        case 2: return .double(pick([0, 0.5, -2, 1e300, -1e-300, .greatestFiniteMagnitude, .infinity, -.infinity]))
        case 3: return .double(Double(bitPattern: UInt64.random(in: 0..<0x7FF0_0000_0000_0000, using: &generator)))
        case 4: return .string(pick(Self.texts))
        case 5:
            let seconds = pick([0, 0.5, -1.25, 7.5e8, 1e17, -0.1, 1e-7, .infinity])
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case 6: return .binary(Data((0..<number(0..<5)).map { UInt8($0 * 50) }))
        case 7: return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number(0..<256)))))
        default: return .decimal(pick(["0.1", "-12.3456789", "123456789012345678901234567890.1"]).decimal)
        }
    }
}

extension String {
    fileprivate var decimal: Decimal { Decimal(string: self) ?? 0 }
}
