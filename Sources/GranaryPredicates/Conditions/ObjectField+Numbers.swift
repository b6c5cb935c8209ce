/// Integers of other types than the field's: an `Int` beside a property of the type `Int64`.
extension ObjectField where Value: BinaryInteger {
    public static func == <Number: BinaryInteger & PredicateArgument>(left: Self, right: Number) -> ObjectPredicate {
        left.compared(.equal, right.predicateExpression)
    }

    public static func != <Number: BinaryInteger & PredicateArgument>(left: Self, right: Number) -> ObjectPredicate {
        left.compared(.notEqual, right.predicateExpression)
    }

    public static func < <Number: BinaryInteger & PredicateArgument>(left: Self, right: Number) -> ObjectPredicate {
        left.compared(.less, right.predicateExpression)
    }

    public static func <= <Number: BinaryInteger & PredicateArgument>(left: Self, right: Number) -> ObjectPredicate {
        left.compared(.lessOrEqual, right.predicateExpression)
    }

    public static func > <Number: BinaryInteger & PredicateArgument>(left: Self, right: Number) -> ObjectPredicate {
        left.compared(.greater, right.predicateExpression)
    }

    public static func >= <Number: BinaryInteger & PredicateArgument>(left: Self, right: Number) -> ObjectPredicate {
        left.compared(.greaterOrEqual, right.predicateExpression)
    }
}

/// Arithmetic. A division of integers gives an integer, and a division by zero NULL.
extension ObjectField where Value: Numeric {
    public static func + (left: Self, right: Value) -> Self { left.calculated(.add, right) }
    public static func - (left: Self, right: Value) -> Self { left.calculated(.subtract, right) }
    public static func * (left: Self, right: Value) -> Self { left.calculated(.multiply, right) }
    public static func / (left: Self, right: Value) -> Self { left.calculated(.divide, right) }
    public static func + (left: Self, right: Self) -> Self { left.calculated(.add, right) }
    public static func - (left: Self, right: Self) -> Self { left.calculated(.subtract, right) }
    public static func * (left: Self, right: Self) -> Self { left.calculated(.multiply, right) }
    public static func / (left: Self, right: Self) -> Self { left.calculated(.divide, right) }

    /// The field as a number of another type, to compare or calculate fields of different types:
    /// `$0.pages.as(Double.self) > $0.average`. Predicates compare numbers by value, so nothing is converted.
    public func `as`<Number: Numeric & PredicateArgument>(_ type: Number.Type) -> ObjectField<Number> {
        ObjectField<Number>(expression)
    }

    private func calculated(_ function: PredicateFunction, _ right: some PredicateArgument) -> Self {
        Self(.function(function.rawValue, [expression, right.predicateExpression]))
    }
}
