public import Foundation
public import GranaryPredicates

extension ObjectPredicate {
    /// The condition of a Foundation predicate, which the macro `#Predicate` makes.
    ///
    /// ```swift
    /// let p = try ObjectPredicate(#Predicate<Book> { $0.title.starts(with: "A") && $0.author?.name == "Ann" })
    /// ```
    /// These parts are translated: `&&`, `||`, `!`, the comparison operators, `+`, `-`, `*`, `/`, `%`, `?:`, `if`, `??`, `?.`,
    /// `!` after an optional, `flatMap` of an optional, values and lists of values; `starts(with:)`, `contains(_:)` and
    /// `isEmpty` of text; `contains(_:)` of a list or a range of values; `count`, `isEmpty`, `contains(where:)`,
    /// `allSatisfy(_:)` and `filter(_:)` of a to-many relationship. Text is compared by its bytes, and NULL as in the text form.
    ///
    /// - Throws: ``GranaryError`` with code `usage` that names an expression without a translation, and for a property
    ///   that its class does not list in ``ManagedObject/propertyNames``.
    public init<Object: ManagedObject>(_ predicate: Foundation.Predicate<Object>) throws {
        var translator = PredicateTranslator(predicate.variable.key)
        self = try translator.translate(predicate.expression).predicate()
    }
}
