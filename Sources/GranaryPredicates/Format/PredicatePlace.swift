/// The part of a predicate that an error is about: the underlying error of what ``PredicateResolver`` throws.
package struct PredicatePlace: Error, Sendable, Hashable {
    /// The part in the format language, such as a key path, a function's name with its parenthesis, or a side of a
    /// comparison. ``PredicateText/place(of:in:)`` finds it in a text.
    package let snippet: String

    package init(_ snippet: String) { self.snippet = snippet }

    package init(keyPath path: String) { self.init(ObjectExpression.keyPath(path).description) }
}
