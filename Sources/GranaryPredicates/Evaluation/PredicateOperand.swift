import GranaryBase

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
    /// The elements of a collection. NULL has no elements. A single value is treated as a collection with this one
    /// element.
    var elements: [PredicateOperand?] {
        switch self {
        case nil: []
        case .list(let elements)?: elements
        case .some(let single): [single]
        }
    }
}
