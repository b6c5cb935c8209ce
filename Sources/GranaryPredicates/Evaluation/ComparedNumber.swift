import Foundation
import GranaryBase

/// A number on one side of a comparison.
///
/// Integers and decimals compare by their digits. An integer and a floating-point number compare exactly, as in
/// `NSNumber`. A decimal and a floating-point number compare as the nearest doubles, so that 0.1 equals 0.1, as in
/// SQLite.
enum ComparedNumber {
    case integer(Int64)
    case decimal(ExactDecimal)
    case real(Double)

    /// Nil if the value is not a number; a Boolean is 0 or 1.
    init?(_ value: AttributeValue) {
        switch value {
        case .integer(let value): self = .integer(value)
        case .boolean(let value): self = .integer(value ? 1 : 0)
        case .float(let value): self = .real(Double(value))
        case .double(let value): self = .real(value)
        case .decimal(let value):
            if let exact = ExactDecimal(exactly: value) {
                self = .decimal(exact)
            } else {
                // NaN, and the few numbers of 39 digits.
                self = .real(NSDecimalNumber(decimal: value).doubleValue)
            }
        case .string, .date, .binary, .uuid, .uri: return nil
        }
    }

    /// Negative, zero or positive; nil if one of them is NaN.
    func order(to other: Self) -> Int? {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): Self.order(left, right)
        case (.integer(let left), .decimal(let right)): Self.order(ExactDecimal(left), right)
        case (.decimal(let left), .integer(let right)): Self.order(left, ExactDecimal(right))
        case (.decimal(let left), .decimal(let right)): Self.order(left, right)
        case (.real(let left), .real(let right)): Self.order(left, right)
        case (.integer(let left), .real(let right)): Self.order(left, right)
        case (.real(let left), .integer(let right)): Self.order(right, left).map { 0 - $0 }
        case (.decimal(let left), .real(let right)): Self.order(left.nearestDouble, right)
        case (.real(let left), .decimal(let right)): Self.order(left, right.nearestDouble)
        }
    }

    private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int? {
        left < right ? -1 : (left > right ? 1 : (left == right ? 0 : nil))
    }

    private static func order(_ left: Int64, _ right: Double) -> Int? {
        guard !right.isNaN else { return nil }
        let whole = right.rounded(.down)
        // Values outside the range of Int64.
        guard let integer = Int64(exactly: whole) else { return right < 0 ? 1 : -1 }
        if left != integer { return left < integer ? -1 : 1 }
        return whole < right ? -1 : 0
    }
}
