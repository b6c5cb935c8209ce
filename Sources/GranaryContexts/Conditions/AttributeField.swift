public import GranaryPredicates

/// An attribute, or a value computed from attributes, in a condition.
///
/// `Value` is the attribute's type in Swift, without optionality: every field can be compared with nil, because an
/// attribute whose Swift property is not optional can be NULL in a store too.
public struct AttributeField<Value: AttributeRepresentable>: Sendable {
    let expression: ObjectExpression

    init(_ expression: ObjectExpression) { self.expression = expression }

    /// The field of an attribute.
    public init(_ owner: ObjectFields<some ManagedObject>, _ name: String) {
        self.init(owner.expression.appending(name))
    }

    /// The field of an element of a composite attribute.
    public init(_ owner: CompositeFields<some Any>, _ name: String) { self.init(owner.expression.appending(name)) }

    static func expression(_ value: Value?) -> ObjectExpression { value.map { .constant($0.attributeValue) } ?? .null }
}

extension AttributeField {
    /// Whether the values are equal. NULL equals only nil.
    public static func == (field: Self, value: Value?) -> ObjectPredicate {
        .compare(field.expression, .equal, expression(value))
    }

    /// Whether the values differ. NULL differs from every value but nil.
    public static func != (field: Self, value: Value?) -> ObjectPredicate {
        .compare(field.expression, .notEqual, expression(value))
    }

    /// Whether the values of two fields are equal, or both NULL.
    public static func == (field: Self, other: Self) -> ObjectPredicate {
        .compare(field.expression, .equal, other.expression)
    }

    /// Whether the values of two fields differ, or one is NULL.
    public static func != (field: Self, other: Self) -> ObjectPredicate {
        .compare(field.expression, .notEqual, other.expression)
    }

    /// Whether the value is one of the values. (`IN`)
    public func `in`(_ values: [Value]) -> ObjectPredicate {
        .compare(expression, .isIn, .list(values.map(Self.expression)))
    }

    /// Whether the value is in the set. (`IN`)
    public func `in`(_ values: Set<Value>) -> ObjectPredicate where Value: Hashable {
        // A set has no order of its own, and equal conditions shall be equal predicates.
        let elements = values.map { value in
            let expression = Self.expression(value)
            return (expression, expression.description)
        }
        return .compare(expression, .isIn, .list(elements.sorted { $0.1 < $1.1 }.map(\.0)))
    }
}

/// NULL is neither less nor greater than a value.
extension AttributeField where Value: Comparable {
    /// Whether the value is less. False for NULL.
    public static func < (field: Self, value: Value) -> ObjectPredicate {
        .compare(field.expression, .less, expression(value))
    }

    /// Whether the value is less or equal. False for NULL.
    public static func <= (field: Self, value: Value) -> ObjectPredicate {
        .compare(field.expression, .lessOrEqual, expression(value))
    }

    /// Whether the value is greater. False for NULL.
    public static func > (field: Self, value: Value) -> ObjectPredicate {
        .compare(field.expression, .greater, expression(value))
    }

    /// Whether the value is greater or equal. False for NULL.
    public static func >= (field: Self, value: Value) -> ObjectPredicate {
        .compare(field.expression, .greaterOrEqual, expression(value))
    }

    /// Whether the value is less than that of another field. False if one is NULL.
    public static func < (field: Self, other: Self) -> ObjectPredicate {
        .compare(field.expression, .less, other.expression)
    }

    /// Whether the value is at most that of another field. False if one is NULL.
    public static func <= (field: Self, other: Self) -> ObjectPredicate {
        .compare(field.expression, .lessOrEqual, other.expression)
    }

    /// Whether the value is greater than that of another field. False if one is NULL.
    public static func > (field: Self, other: Self) -> ObjectPredicate {
        .compare(field.expression, .greater, other.expression)
    }

    /// Whether the value is at least that of another field. False if one is NULL.
    public static func >= (field: Self, other: Self) -> ObjectPredicate {
        .compare(field.expression, .greaterOrEqual, other.expression)
    }

    /// Whether the value is between two inclusive bounds. False for NULL. (`BETWEEN`)
    public func between(_ lower: Value, _ upper: Value) -> ObjectPredicate {
        .between(expression, lower: Self.expression(lower), upper: Self.expression(upper))
    }
}
