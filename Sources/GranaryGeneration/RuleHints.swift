import Foundation
import GranaryBase
package import GranaryModel
package import GranaryPredicates

/// What the rules of an attribute say about its values: bounds, lengths, and the common forms of validation predicates.
///
/// Parts of predicates in other forms are ignored here; generated values are tested with the whole rules.
package struct RuleHints: Sendable {
    /// Bounds of numbers, and of dates in seconds since 2001.
    package private(set) var lower: NumberBound?
    package private(set) var upper: NumberBound?
    /// The bounds of the attribute as doubles, which can be outside the range of a decimal.
    let lowerReal: Double?
    let upperReal: Double?
    private(set) var minimumLength = 0
    private(set) var maximumLength: Int?
    /// The only possible values; nil if there is no such list.
    package private(set) var list: [AttributeValue]?
    /// The regular expressions to match.
    private(set) var patterns: [(source: String, ignoresCase: Bool)] = []
    private(set) var prefix = ""
    private(set) var suffix = ""
    private(set) var infix = ""

    package init(_ attribute: AttributeDescription) {
        minimumLength = max(0, attribute.minimumLength ?? 0)
        maximumLength = attribute.maximumLength
        lowerReal = attribute.minimumValue.flatMap(Self.real)
        upperReal = attribute.maximumValue.flatMap(Self.real)
        if let value = attribute.minimumValue.flatMap(Self.number) { lower = NumberBound(value: value) }
        if let value = attribute.maximumValue.flatMap(Self.number) { upper = NumberBound(value: value) }
        if let expression = attribute.regularExpression { patterns.append((expression, false)) }
        // The model check limits the depth of predicates.
        for rule in attribute.validationRules where !rule.predicate.isTooDeep { note(rule.predicate) }
    }

    /// The lengths of texts; nil if they contradict each other.
    var lengths: ClosedRange<Int>? {
        let upper = maximumLength ?? Int.max
        return minimumLength <= upper ? minimumLength...upper : nil
    }

    private mutating func note(_ predicate: ObjectPredicate) {
        switch predicate {
        case .and(let parts): for part in parts { note(part) }
        case .or(let parts): noteChoice(parts)
        case .comparison(let comparison) where comparison.modifier == .direct: note(comparison)
        case .constant, .not, .comparison: break
        }
    }

    /// Alternatives of single values and lists are one list.
    private mutating func noteChoice(_ parts: [ObjectPredicate]) {
        var values: [AttributeValue] = []
        for part in parts {
            guard case .comparison(let comparison) = part, comparison.modifier == .direct,
                comparison.left == .evaluatedObject, let found = Self.values(comparison)
            else { return }
            values += found
        }
        restrict(to: values)
    }

    private static func values(_ comparison: ObjectPredicate.Comparison) -> [AttributeValue]? {
        switch (comparison.operation, comparison.right) {
        case (.equal, .constant(let value)): return [value]
        case (.isIn, .list(let elements)):
            return elements.compactMap { element -> AttributeValue? in
                guard case .constant(let value) = element else { return nil }
                return value
            }
        default: return nil
        }
    }

    private mutating func restrict(to values: [AttributeValue]) {
        let known = Set(values)
        list = list.map { $0.filter { known.contains($0) } } ?? values
    }

    private mutating func note(_ comparison: ObjectPredicate.Comparison) {
        if comparison.left == .evaluatedObject {
            if let values = Self.values(comparison) { return restrict(to: values) }
            noteValue(comparison.operation, comparison.right, comparison.options)
        } else if Self.isLength(comparison.left) {
            noteLength(comparison.operation, comparison.right)
        } else if let turned = Self.turned(comparison.operation) {
            if comparison.right == .evaluatedObject {
                noteValue(turned, comparison.left, comparison.options)
            } else if Self.isLength(comparison.right) {
                noteLength(turned, comparison.left)
            }
        }
    }

    private static func isLength(_ expression: ObjectExpression) -> Bool {
        switch expression {
        case .keyPath("length"), .path("length", of: .evaluatedObject): true
        default: false
        }
    }

    /// The operator with its sides exchanged; nil if there is none.
    private static func turned(_ operation: ObjectPredicate.Operator) -> ObjectPredicate.Operator? {
        switch operation {
        case .equal, .notEqual: operation
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: nil
        }
    }

    private mutating func noteValue(
        _ operation: ObjectPredicate.Operator, _ right: ObjectExpression, _ options: ObjectPredicate.Options
    ) {
        switch (operation, right) {
        case (.equal, .constant(let value)): restrict(to: [value])
        case (.between, .list(let bounds)) where bounds.count == 2:
            raise(bounds[0], isStrict: false)
            sink(bounds[1], isStrict: false)
        case (.greater, _): raise(right, isStrict: true)
        case (.greaterOrEqual, _): raise(right, isStrict: false)
        case (.less, _): sink(right, isStrict: true)
        case (.lessOrEqual, _): sink(right, isStrict: false)
        case (.matches, .constant(.string(let source))):
            patterns.append((source, options.contains(.caseInsensitive)))
        case (.like, .constant(.string(let wildcards))):
            patterns.append((Self.expression(like: wildcards), options.contains(.caseInsensitive)))
        case (.beginsWith, .constant(.string(let text))): if text.utf8.count > prefix.utf8.count { prefix = text }
        case (.endsWith, .constant(.string(let text))): if text.utf8.count > suffix.utf8.count { suffix = text }
        case (.contains, .constant(.string(let text))): infix += text
        default: break
        }
    }

    private mutating func noteLength(_ operation: ObjectPredicate.Operator, _ right: ObjectExpression) {
        func limit(_ expression: ObjectExpression) -> Int? {
            guard case .constant(.integer(let value)) = expression else { return nil }
            return Int(exactly: max(-1, min(value, Int64(Int32.max))))
        }
        switch (operation, right) {
        case (.between, .list(let bounds)) where bounds.count == 2:
            noteLength(.greaterOrEqual, bounds[0])
            noteLength(.lessOrEqual, bounds[1])
        case (.equal, _):
            noteLength(.greaterOrEqual, right)
            noteLength(.lessOrEqual, right)
        case (.greater, _): if let value = limit(right) { minimumLength = max(minimumLength, value + 1) }
        case (.greaterOrEqual, _): if let value = limit(right) { minimumLength = max(minimumLength, value) }
        case (.less, _): if let value = limit(right) { maximumLength = min(maximumLength ?? .max, value - 1) }
        case (.lessOrEqual, _): if let value = limit(right) { maximumLength = min(maximumLength ?? .max, value) }
        default: break
        }
    }

    private mutating func raise(_ expression: ObjectExpression, isStrict: Bool) {
        guard case .constant(let constant) = expression, let value = Self.number(constant) else { return }
        if let lower, lower.value > value || (lower.value == value && lower.isStrict) { return }
        lower = NumberBound(value: value, isStrict: isStrict)
    }

    private mutating func sink(_ expression: ObjectExpression, isStrict: Bool) {
        guard case .constant(let constant) = expression, let value = Self.number(constant) else { return }
        if let upper, upper.value < value || (upper.value == value && upper.isStrict) { return }
        upper = NumberBound(value: value, isStrict: isStrict)
    }

    /// A number, or a date's seconds; nil for other values.
    static func number(_ value: AttributeValue) -> ExactDecimal? {
        switch value {
        case .integer(let number): ExactDecimal(number)
        case .decimal(let number): ExactDecimal(exactly: number)
        case .double(let number): ExactDecimal(shortest: number)
        case .float(let number): ExactDecimal(shortest: Double(number))
        case .date(let date): ExactDecimal(shortest: date.timeIntervalSinceReferenceDate)
        default: nil
        }
    }

    private static func real(_ value: AttributeValue) -> Double? {
        switch value {
        case .double(let number): number
        case .float(let number): Double(number)
        case .date(let date): date.timeIntervalSinceReferenceDate
        default: nil
        }
    }

    /// The regular expression of a LIKE pattern, in which `*` is any text and `?` one character.
    private static func expression(like wildcards: String) -> String {
        var result = ""
        for scalar in wildcards.unicodeScalars {
            switch scalar {
            case "*": result += ".*"
            case "?": result += "."
            default:
                if scalar.isASCII, !("a"..."z").contains(scalar), !("A"..."Z").contains(scalar),
                    !("0"..."9").contains(scalar)
                {
                    result += "\\"
                }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
