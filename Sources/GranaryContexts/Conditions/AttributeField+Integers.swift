public import GranaryPredicates

/// A variable of the type `Int` can be compared with every integer field. Literals take the field's own type.
extension AttributeField where Value: FixedWidthInteger {
    /// Whether the values are equal.
    @_disfavoredOverload
    public static func == (field: Self, value: Int) -> ObjectPredicate { field.compared(.equal, value) }

    /// Whether the values differ. NULL differs from every value.
    @_disfavoredOverload
    public static func != (field: Self, value: Int) -> ObjectPredicate { field.compared(.notEqual, value) }

    /// Whether the value is less. False for NULL.
    @_disfavoredOverload
    public static func < (field: Self, value: Int) -> ObjectPredicate { field.compared(.less, value) }

    /// Whether the value is less or equal. False for NULL.
    @_disfavoredOverload
    public static func <= (field: Self, value: Int) -> ObjectPredicate { field.compared(.lessOrEqual, value) }

    /// Whether the value is greater. False for NULL.
    @_disfavoredOverload
    public static func > (field: Self, value: Int) -> ObjectPredicate { field.compared(.greater, value) }

    /// Whether the value is greater or equal. False for NULL.
    @_disfavoredOverload
    public static func >= (field: Self, value: Int) -> ObjectPredicate { field.compared(.greaterOrEqual, value) }

    private func compared(_ operation: ObjectPredicate.Operator, _ value: Int) -> ObjectPredicate {
        .compare(expression, operation, .constant(.integer(Int64(value))))
    }
}
