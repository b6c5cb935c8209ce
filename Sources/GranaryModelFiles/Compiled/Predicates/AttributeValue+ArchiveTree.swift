import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

extension AttributeValue {
    /// The value as an object of a keyed archive. A decimal that is not a number becomes nil.
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

    /// The value of an archived object; nil for a collection, an object of another class and an invalid date or URL.
    init?(archived value: KeyedArchive.Value) {
        switch value {
        case .integer(let value): self = .integer(value)
        case .boolean(let value): self = .boolean(value)
        case .real(let value): self = .double(value)
        case .decimal(let value): self = .decimal(value.foundationDecimal)
        case .string(let value): self = .string(value)
        case .date(let seconds) where seconds.isFinite:
            self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .data(let bytes): self = .binary(Data(bytes))
        case .uuid(let value): self = .uuid(value)
        case .url(let text, nil):
            guard let url = URL(string: text, encodingInvalidCharacters: false) else { return nil }
            self = .uri(url)
        default: return nil
        }
    }
}
