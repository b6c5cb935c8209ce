public import GranaryPredicates

/// A predicate that a value must satisfy, with an error message.
public struct ValidationRule: Sendable, Hashable, Codable {
    /// The condition; `SELF` is the value. NULL is not tested. (`NSPropertyDescription.validationPredicates`)
    public var predicate: ObjectPredicate
    /// The error message; if empty, the predicate's text is used. (`NSPropertyDescription.validationWarnings`)
    public var message: String

    /// A rule of a predicate and an error message.
    public init(predicate: ObjectPredicate, message: String) {
        self.predicate = predicate
        self.message = message
    }
}
