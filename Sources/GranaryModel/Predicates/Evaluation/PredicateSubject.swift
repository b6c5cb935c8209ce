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

/// A value while a predicate is evaluated. NULL is nil of the optional.
package enum PredicateOperand {
    case value(AttributeValue)
    /// A collection. An element can be NULL.
    case list([PredicateOperand?])
    /// An object with properties, at the end of a relationship.
    case subject(any PredicateSubject)
    /// An object that is known by its ID only.
    case reference(ObjectReference)
}

/// The result of evaluating a predicate.
package enum PredicateOutcome: Sendable, Hashable {
    case holds, fails
    /// The evaluation gave up, so the result is unknown.
    case stopped(PredicateStop)

    /// Whether the predicate is true.
    ///
    /// - Throws: ``GranaryError`` if the evaluation gave up.
    package var holds: Bool {
        get throws(GranaryError) {
            switch self {
            case .holds: true
            case .fails: false
            case .stopped(let stop): throw stop.error
            }
        }
    }
}

/// An attribute value, whose only property is the `length` of text and binary data.
struct ValueSubject: PredicateSubject {
    let value: AttributeValue?

    var predicateSelf: PredicateOperand? { value.map(PredicateOperand.value) }
    var predicateReference: ObjectReference? { nil }

    func predicateValue(forKey key: String) -> PredicateOperand? {
        guard key == "length", let length = value?.comparedLength else { return nil }
        return .value(.integer(length))
    }
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

extension PredicateOperand {
    /// The text of a String or a URI.
    var text: String? {
        guard case .value(let value) = self else { return nil }
        return value.comparedText
    }

    /// The ID of an object.
    var objectReference: ObjectReference? {
        switch self {
        case .subject(let subject): subject.predicateReference
        case .reference(let reference): reference
        case .value, .list: nil
        }
    }
}

extension Optional<PredicateOperand> {
    /// The elements of a collection. NULL is an empty collection, a single value a collection of one element.
    var elements: [PredicateOperand?] {
        switch self {
        case nil: []
        case .list(let elements)?: elements
        case .some(let single): [single]
        }
    }
}
