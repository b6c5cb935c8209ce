/// A rule of a model that a value breaks, as apps find it in an `NSError`.
package struct BrokenRule: Sendable, Hashable {
    /// The text that the model has for this rule (`NSPropertyDescription.validationWarnings`); nil if it has none.
    package let message: String?
    /// The `ObjectPredicate` that is false. This module does not know its type.
    package let predicate: any Sendable
    /// The predicate's text, by which rules are compared.
    package let text: String

    package init(message: String?, predicate: any Sendable, text: String) {
        self.message = message
        self.predicate = predicate
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.message == right.message && left.text == right.text
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(message)
        hasher.combine(text)
    }
}
