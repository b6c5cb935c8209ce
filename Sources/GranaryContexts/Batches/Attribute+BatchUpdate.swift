import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

extension Schema.Attribute {
    /// The rule that a value breaks because of its type; nil if the attribute can hold it.
    func typeViolation(of value: AttributeValue) -> Violation? {
        // A transient attribute without a type accepts any value.
        guard type != .undefined else { return nil }
        guard value.fits(type) else {
            if case .integer(let number) = value, let range = type.integerRange {
                return Violation(
                    .valueRange, "\(number) does not fit \(type.phrase) (\(range.lowerBound) to \(range.upperBound))")
            }
            return Violation(.valueSyntax, "\(value.phrase) is not \(type.phrase)")
        }
        guard case .decimal(let number) = value, ExactDecimal(exactly: number) == nil else { return nil }
        return number.isNaN
            ? Violation(.valueRange, "NaN is not a Decimal")
            : Violation(.valuePrecision, "\(number) has more than 38 digits")
    }

    /// All rules that a value of an object breaks.
    func violations(of value: AttributeValue?) -> [Violation] {
        guard let value else { return validator.violations(of: .null) }
        if let violation = typeViolation(of: value) { return [violation] }
        return value.withBorrowed { validator.violations(of: $0) }
    }
}
