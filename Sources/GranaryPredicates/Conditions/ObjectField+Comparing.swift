/// Comparisons with a value.
extension ObjectField {
    /// NULL equals only nil.
    public static func == (left: Self, right: Value?) -> ObjectPredicate {
        left.compared(.equal, right?.predicateExpression ?? .null)
    }

    /// A value and NULL are not equal.
    public static func != (left: Self, right: Value?) -> ObjectPredicate {
        left.compared(.notEqual, right?.predicateExpression ?? .null)
    }

    /// Whether the field has one of the values. (`IN`)
    public func `in`(_ values: some Collection<Value> & PredicateArgument) -> ObjectPredicate {
        compared(.isIn, values.predicateExpression)
    }
}

/// Order. NULL is neither less nor greater than a value.
extension ObjectField where Value: Comparable {
    public static func < (left: Self, right: Value) -> ObjectPredicate {
        left.compared(.less, right.predicateExpression)
    }

    public static func <= (left: Self, right: Value) -> ObjectPredicate {
        left.compared(.lessOrEqual, right.predicateExpression)
    }

    public static func > (left: Self, right: Value) -> ObjectPredicate {
        left.compared(.greater, right.predicateExpression)
    }

    public static func >= (left: Self, right: Value) -> ObjectPredicate {
        left.compared(.greaterOrEqual, right.predicateExpression)
    }

    /// Whether the field is between two inclusive bounds. (`BETWEEN`)
    public func between(_ lower: Value, _ upper: Value) -> ObjectPredicate {
        .between(expression, lower: lower.predicateExpression, upper: upper.predicateExpression)
    }
}
