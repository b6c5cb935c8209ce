import GranaryCoordination
public import GranaryModel

/// A column of dictionaries. (`NSFetchRequest.propertiesToFetch`)
///
/// A string literal is the name of a property: `["name", "department.name"]`.
public enum FetchColumn: Sendable, Hashable, ExpressibleByStringLiteral {
    /// An attribute or a to-one relationship, or one reached by a key path over to-one relationships. The value of a
    /// relationship is the ID of the object.
    case property(String)
    /// A computed value.
    case expression(ExpressionDescription)

    /// The property with a name.
    public init(stringLiteral name: String) { self = .property(name) }
}

/// A named value that is computed for each row or group of dictionaries. (`NSExpressionDescription`)
public struct ExpressionDescription: Sendable, Hashable {
    /// The name of the column.
    public var name: String
    /// The expression, on the properties of the fetched entity. The functions `sum:`, `average:`, `min:`, `max:` and
    /// `count:` of a value that each row has once combine the values of all rows of a group, without NULLs; `@count` is
    /// the number of rows.
    public var expression: ObjectExpression
    /// The type to which a number is converted; nil for the type that the expression gives.
    /// (`NSExpressionDescription.expressionResultType`)
    public var resultType: AttributeType?

    /// Describes a column.
    public init(_ name: String, _ expression: ObjectExpression, resultType: AttributeType? = nil) {
        self.name = name
        self.expression = expression
        self.resultType = resultType
    }
}
