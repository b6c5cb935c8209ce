import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates

extension AttributeValue {
    /// Converts a number or date to a bound of an attribute of that type; nil for a type without bounds and for a
    /// number that the type cannot hold. An archive has one kind of integer and one kind of fraction for all types.
    func asBound(of type: AttributeType) -> AttributeValue? {
        let bound: AttributeValue?
        switch type {
        case .integer16, .integer32, .integer64: bound = exactDecimal?.int64.map(AttributeValue.integer)
        case .decimal: bound = exactDecimal.map { .decimal($0.foundationDecimal) }
        case .double: bound = real.map(AttributeValue.double)
        case .float: bound = real.map { .float(Float($0)) }
        case .date:
            if case .date = self { bound = self } else { bound = nil }
        case .undefined, .string, .boolean, .binary, .uuid, .uri, .transformable, .objectID, .composite: bound = nil
        }
        guard let bound, bound.fits(type), bound.isFiniteBound else { return nil }
        return bound
    }

    private var exactDecimal: ExactDecimal? {
        switch self {
        case .integer(let value): ExactDecimal(value)
        case .decimal(let value): ExactDecimal(exactly: value)
        case .float(let value): ExactDecimal(shortest: Double(value))
        case .double(let value): ExactDecimal(shortest: value)
        case .boolean, .string, .date, .binary, .uuid, .uri: nil
        }
    }

    private var real: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): ExactDecimal(exactly: value)?.nearestDouble
        case .boolean, .string, .date, .binary, .uuid, .uri: nil
        }
    }

    private var isFiniteBound: Bool {
        switch self {
        case .float(let value): value.isFinite
        case .double(let value): value.isFinite
        case .date(let value): value.timeIntervalSinceReferenceDate.isFinite
        default: true
        }
    }
}
