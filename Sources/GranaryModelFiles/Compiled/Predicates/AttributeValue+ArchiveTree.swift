import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension AttributeValue {
    /// The value as an object of a keyed archive. A decimal that is not a number becomes nil there.
    var archiveTree: KeyedArchiveTree {
        switch self {
        case .integer(let value): .integer(value)
        case .boolean(let value): .boolean(value)
        case .float(let value): .real(Double(value))
        case .double(let value): .real(value)
        case .decimal(let value): ExactDecimal(exactly: value).map(KeyedArchiveTree.decimal) ?? .null
        case .string(let value): .string(value)
        case .date(let value): .date(value.timeIntervalSinceReferenceDate)
        case .binary(let value): .data(Array(value))
        case .uuid(let value): .uuid(value)
        case .uri(let value): .url(relative: value.absoluteString, base: nil)
        }
    }
}
