import GranaryPredicates

/// A subject without properties, for expressions whose operands are all constants.
struct EmptySubject: PredicateSubject {
    var predicateSelf: PredicateOperand? { nil }
    var predicateReference: ObjectReference? { nil }

    func predicateValue(forKey key: String) -> PredicateOperand? { nil }
}
