import Foundation
import GranaryBase

/// An object or value that predicates are evaluated on.
package protocol PredicateSubject {
    /// The value of a property; nil if it is NULL or does not exist.
    func predicateValue(forKey key: String) -> PredicateOperand?
    /// The value of `SELF`.
    var predicateSelf: PredicateOperand? { get }
    /// The ID of the object, by which it is equal to other objects; nil if it has none.
    var predicateReference: ObjectReference? { get }
}

extension AttributeValue {
    /// The text of a String or a URI, which compare with each other; nil for other values.
    var comparedText: String? {
        switch self {
        case .string(let text): text
        case .uri(let url): url.absoluteString
        default: nil
        }
    }

    /// The `length` of a value: the UTF-16 units of text, as in NSString, or the bytes of binary data.
    var comparedLength: Int64? {
        switch self {
        case .string(let text): Int64(text.utf16.count)
        case .uri(let url): Int64(url.absoluteString.utf16.count)
        case .binary(let data): Int64(data.count)
        default: nil
        }
    }
}
