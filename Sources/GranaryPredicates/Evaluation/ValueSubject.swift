import GranaryBase

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
