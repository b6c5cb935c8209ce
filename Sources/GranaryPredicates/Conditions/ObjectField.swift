/// A property in a condition that is written in Swift, or what is calculated from properties.
///
/// ```swift
/// let books = try context.fetch(Book.self) { $0.title.beginsWith("A") && $0.year + 10 > 1900 }
/// ```
/// `$0.title` is an `ObjectField<String>`. Operators and methods make conditions of fields and values, with the rules of
/// the text form: they build the same tree (``ObjectPredicate``). An optional property has a field of its value's type;
/// every field can be compared with nil.
public struct ObjectField<Value: PredicateArgument>: Sendable {
    /// The expression that the field stands for.
    public let expression: ObjectExpression

    package init(_ expression: ObjectExpression) { self.expression = expression }

    func compared(
        _ operation: ObjectPredicate.Operator, _ right: ObjectExpression, options: ObjectPredicate.Options = []
    ) -> ObjectPredicate {
        .compare(expression, operation, right, options: options)
    }
}

extension ObjectField: PredicateArgument {
    public var predicateExpression: ObjectExpression { expression }
}
