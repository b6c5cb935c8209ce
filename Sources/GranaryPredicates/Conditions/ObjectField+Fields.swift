/// Comparisons with another field of the same type; `as(_:)` makes numbers of different types the same.
extension ObjectField {
    /// Two NULLs are equal.
    public static func == (left: Self, right: Self) -> ObjectPredicate { left.compared(.equal, right.expression) }

    /// A value and NULL are not equal.
    public static func != (left: Self, right: Self) -> ObjectPredicate { left.compared(.notEqual, right.expression) }
}

extension ObjectField where Value: Comparable {
    public static func < (left: Self, right: Self) -> ObjectPredicate { left.compared(.less, right.expression) }

    public static func <= (left: Self, right: Self) -> ObjectPredicate {
        left.compared(.lessOrEqual, right.expression)
    }

    public static func > (left: Self, right: Self) -> ObjectPredicate { left.compared(.greater, right.expression) }

    public static func >= (left: Self, right: Self) -> ObjectPredicate {
        left.compared(.greaterOrEqual, right.expression)
    }
}
