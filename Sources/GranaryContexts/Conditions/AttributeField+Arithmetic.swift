import GranaryPredicates

/// Arithmetic with the rules of the format language: whole numbers are exact, a quotient of integers is an integer, and a
/// result is NULL if a side is.
extension AttributeField where Value: Numeric {
    /// The sum.
    public static func + (field: Self, value: Value) -> Self { field.computed("add:to:", expression(value)) }
    /// The sum of two fields.
    public static func + (field: Self, other: Self) -> Self { field.computed("add:to:", other.expression) }
    /// The difference.
    public static func - (field: Self, value: Value) -> Self { field.computed("from:subtract:", expression(value)) }
    /// The difference of two fields.
    public static func - (field: Self, other: Self) -> Self { field.computed("from:subtract:", other.expression) }
    /// The product.
    public static func * (field: Self, value: Value) -> Self { field.computed("multiply:by:", expression(value)) }
    /// The product of two fields.
    public static func * (field: Self, other: Self) -> Self { field.computed("multiply:by:", other.expression) }
    /// The quotient; NULL if the divisor is 0.
    public static func / (field: Self, value: Value) -> Self { field.computed("divide:by:", expression(value)) }
    /// The quotient of two fields; NULL if the divisor is 0.
    public static func / (field: Self, other: Self) -> Self { field.computed("divide:by:", other.expression) }

    private func computed(_ function: String, _ operand: ObjectExpression) -> Self {
        Self(.function(function, [expression, operand]))
    }
}
