import Foundation
import GranaryBase
import GranaryPredicates

/// The minimum and maximum of an attribute in the form in which values are compared; an open bound is the type's bound.
enum ValueBounds: Sendable {
    case none
    case integer(minimum: Int64, maximum: Int64)
    case decimal(minimum: ExactDecimal?, maximum: ExactDecimal?)
    case real(minimum: Double, maximum: Double)
    /// In seconds since 2001-01-01 00:00:00 UTC.
    case date(minimum: Double, maximum: Double)

    /// Bounds of another type than the attribute's are ignored; the model check reports them.
    init(_ attribute: AttributeDescription) {
        let (minimum, maximum) = (attribute.minimumValue, attribute.maximumValue)
        guard minimum != nil || maximum != nil else {
            self = .none
            return
        }
        switch attribute.type {
        case .integer16, .integer32, .integer64:
            self = .integer(minimum: minimum?.int64 ?? .min, maximum: maximum?.int64 ?? .max)
        case .decimal: self = .decimal(minimum: minimum?.exactDecimal, maximum: maximum?.exactDecimal)
        case .double, .float: self = .real(minimum: minimum?.real ?? -.infinity, maximum: maximum?.real ?? .infinity)
        case .date: self = .date(minimum: minimum?.seconds ?? -.infinity, maximum: maximum?.seconds ?? .infinity)
        default: self = .none
        }
    }
}

extension AttributeValue {
    fileprivate var int64: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    fileprivate var exactDecimal: ExactDecimal? {
        if case .decimal(let value) = self { ExactDecimal(exactly: value) } else { nil }
    }

    fileprivate var real: Double? {
        switch self {
        case .float(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    fileprivate var seconds: Double? {
        if case .date(let value) = self { value.timeIntervalSinceReferenceDate } else { nil }
    }
}
