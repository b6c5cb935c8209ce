import Foundation
import GranaryPredicates

extension AttributeValue {
    /// The value as the name of a section: as `description` of the objects that Core Data has for it.
    var sectionName: String {
        switch self {
        case .integer(let value): "\(value)"
        case .boolean(let value): value ? "1" : "0"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let value): value
        case .date(let value): value.description
        case .binary(let value): value.base64EncodedString()
        case .uuid(let value): value.uuidString
        case .uri(let value): value.absoluteString
        }
    }
}
