import GranaryCoordination
public import GranaryModel
public import GranaryPredicates

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
