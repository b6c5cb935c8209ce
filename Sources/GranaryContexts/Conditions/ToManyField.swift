public import Foundation
public import GranaryCoordination
public import GranaryPredicates

/// A to-many relationship in a condition.
///
/// ```swift
/// try context.fetch(Book.self) { $0.chapters.any { $0.pages > 10 } && $0.chapters.count < 5 }
/// ```
public struct ToManyField<Object: ManagedObject> {
    let expression: ObjectExpression
    let scope: ConditionScope

    private init(_ expression: ObjectExpression, _ scope: ConditionScope) {
        self.expression = expression
        self.scope = scope
    }

    /// The field of a to-many relationship.
    public init(_ owner: ObjectFields<some ManagedObject>, _ name: String) {
        self.init(owner.expression.appending(name), owner.scope)
    }
}

extension ToManyField {
    /// The objects that satisfy a condition. (`SUBQUERY`)
    public func filter(
        _ condition: (ObjectFields<Object>) throws -> ObjectPredicate
    ) rethrows -> Self {
        let variable = scope.nextVariable()
        let predicate = try condition(ObjectFields<Object>(.variable(variable), scope))
        return Self(.subquery(expression, variable: variable, predicate), scope)
    }

    /// Whether at least one object satisfies the condition.
    public func any(_ condition: (ObjectFields<Object>) throws -> ObjectPredicate) rethrows -> ObjectPredicate {
        try filter(condition).count > 0
    }

    /// Whether every object satisfies the condition; true if there is none.
    public func all(_ condition: (ObjectFields<Object>) throws -> ObjectPredicate) rethrows -> ObjectPredicate {
        try filter { try !condition($0) }.isEmpty
    }

    /// Whether no object satisfies the condition.
    public func none(_ condition: (ObjectFields<Object>) throws -> ObjectPredicate) rethrows -> ObjectPredicate {
        try filter(condition).isEmpty
    }

    /// Whether the object is one of them.
    public func contains(_ object: Object) -> ObjectPredicate {
        .compare(expression, .equal, object.predicateExpression, modifier: .any)
    }

    /// Whether the object of the ID is one of them.
    public func contains(_ id: ManagedObjectID) -> ObjectPredicate {
        .compare(expression, .equal, id.predicateExpression, modifier: .any)
    }

    /// Whether there is no object.
    public var isEmpty: ObjectPredicate { count == 0 }

    /// The number of objects. (`@count`)
    public var count: AttributeField<Int> { AttributeField<Int>(expression.appending("@count")) }
}

/// Aggregates of an attribute of all objects, without NULL.
extension ToManyField {
    /// The smallest value; NULL if there is none. (`@min`)
    public func min<Value>(_ field: KeyPath<ObjectFields<Object>, AttributeField<Value>>) -> AttributeField<Value> {
        aggregate("@min", field)
    }

    /// The largest value; NULL if there is none. (`@max`)
    public func max<Value>(_ field: KeyPath<ObjectFields<Object>, AttributeField<Value>>) -> AttributeField<Value> {
        aggregate("@max", field)
    }

    /// The average; NULL if there is no value. (`@avg`)
    public func avg<Value: Numeric>(
        _ field: KeyPath<ObjectFields<Object>, AttributeField<Value>>
    ) -> AttributeField<Double> { aggregate("@avg", field) }

    /// The sum; 0 if there is no value. (`@sum`)
    public func sum<Value: FixedWidthInteger>(
        _ field: KeyPath<ObjectFields<Object>, AttributeField<Value>>
    ) -> AttributeField<Int> { aggregate("@sum", field) }

    /// The sum; 0 if there is no value. (`@sum`)
    public func sum<Value: BinaryFloatingPoint>(
        _ field: KeyPath<ObjectFields<Object>, AttributeField<Value>>
    ) -> AttributeField<Double> { aggregate("@sum", field) }

    /// The sum; 0 if there is no value. (`@sum`)
    public func sum(
        _ field: KeyPath<ObjectFields<Object>, AttributeField<Decimal>>
    ) -> AttributeField<Decimal> { aggregate("@sum", field) }

    private func aggregate<Value, Result>(
        _ name: String, _ field: KeyPath<ObjectFields<Object>, AttributeField<Value>>
    ) -> AttributeField<Result> {
        let path = ObjectFields<Object>()[keyPath: field].expression.sortKeyPath
        return AttributeField<Result>(expression.appending("\(name).\(path)"))
    }
}
