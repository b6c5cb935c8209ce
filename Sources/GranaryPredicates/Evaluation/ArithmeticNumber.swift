import Foundation

/// A number as functions of predicates calculate with it: integers and Booleans exactly, other numbers as doubles.
enum ArithmeticNumber {
    case integer(Int64)
    case real(Double)

    /// Nil if the value is not a number.
    init?(_ value: AttributeValue) {
        guard let number = ComparedNumber(value) else { return nil }
        self = if case .integer(let value) = number { .integer(value) } else { .real(number.nearestDouble) }
    }

    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        }
    }

    /// The integer; nil for other numbers.
    var exactInteger: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// A result of two integers if it fits, otherwise of two doubles; nil for NaN.
    static func combined(
        _ left: Self, _ right: Self, _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ reals: (Double, Double) -> Double
    ) -> AttributeValue? {
        if case .integer(let left) = left, case .integer(let right) = right {
            let (result, overflow) = integers(left, right)
            if !overflow { return .integer(result) }
        }
        return AttributeValue.number(reals(left.double, right.double))
    }

    /// Integers are divided toward zero; nil for a division by zero.
    static func quotient(_ left: Self, _ right: Self) -> AttributeValue? {
        guard right.double != 0 else { return nil }
        return combined(left, right, { $0.dividedReportingOverflow(by: $1) }, { $0 / $1 })
    }

    /// The remainder has the sign of the dividend; nil for a division by zero.
    static func remainder(_ left: Self, _ right: Self) -> AttributeValue? {
        guard right.double != 0 else { return nil }
        // The only overflow is that of the quotient of the smallest integer and -1, whose remainder is 0.
        if right.exactInteger == -1, left.exactInteger != nil { return .integer(0) }
        return combined(
            left, right, { $0.remainderReportingOverflow(dividingBy: $1) }, { $0.truncatingRemainder(dividingBy: $1) })
    }

    /// A number rounded to a whole one; an integer stays as it is.
    func rounded(_ rule: FloatingPointRoundingRule) -> AttributeValue? {
        switch self {
        case .integer(let value): .integer(value)
        case .real(let value): AttributeValue.number(value.rounded(rule))
        }
    }

    /// The magnitude. That of the smallest integer is a double.
    var magnitude: AttributeValue? {
        guard case .integer(let value) = self, value != Int64.min else {
            return AttributeValue.number(double.magnitude)
        }
        return .integer(value < 0 ? 0 - value : value)
    }
}
