public import Foundation
import GranaryBase

/// The value as a number of a type. (`NSNumber`)
///
/// Only exact results: unlike `NSNumber`, a fraction is not cut off. Text is no number.
extension AttributeValue {
    /// The number as an integer; nil for other values, for fractions, and outside the range.
    public var int64Value: Int64? {
        switch self {
        case .integer(let value): value
        case .boolean(let value): value ? 1 : 0
        case .float(let value): Int64(exactly: value)
        case .double(let value): Int64(exactly: value)
        case .decimal(let value): ExactDecimal(exactly: value)?.int64
        case .string, .date, .binary, .uuid, .uri: nil
        }
    }

    /// The number as a double, the nearest one for integers and decimals with more digits; nil for other values.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .boolean(let value): value ? 1 : 0
        case .float(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
        case .string, .date, .binary, .uuid, .uri: nil
        }
    }

    /// The number as a decimal, with the shortest digits that give a double; nil for other values, and for doubles that
    /// are no decimals.
    public var decimalValue: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .boolean(let value): value ? 1 : 0
        case .float(let value): ExactDecimal(shortest: Double(value))?.foundationDecimal
        case .double(let value): ExactDecimal(shortest: value)?.foundationDecimal
        case .decimal(let value): value
        case .string, .date, .binary, .uuid, .uri: nil
        }
    }

    /// The number as a Boolean, which is false for 0; nil for other values.
    public var boolValue: Bool? { doubleValue.map { $0 != 0 } }
}
