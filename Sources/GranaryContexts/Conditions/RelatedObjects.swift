import GranaryBase
public import GranaryCoordination
public import GranaryPredicates

/// The objects of a to-many relationship in a condition that is written in Swift.
///
/// ```swift
/// try context.fetch(Book.self) { $0.chapters.any { $0.pages > 10 && $0.title != nil } && $0.chapters.count < 5 }
/// ```
public struct RelatedObjects<Object: ManagedObject> {
    let root: ObjectExpression
    let scope: ConditionScope

    init(_ root: ObjectExpression, _ scope: ConditionScope) {
        self.root = root
        self.scope = scope
    }

    // MARK: - Conditions

    /// The objects that fulfil a condition. (`SUBQUERY`)
    public func filter(
        _ condition: (ObjectFields<Object>) throws -> ObjectPredicate
    ) rethrows -> RelatedObjects<Object> {
        try scope.withVariable { name in
            let inner = try condition(ObjectFields(.variable(name), scope))
            return RelatedObjects(.subquery(root, variable: name, inner), scope)
        }
    }

    /// Whether at least one object fulfils a condition.
    public func any(_ condition: (ObjectFields<Object>) throws -> ObjectPredicate) rethrows -> ObjectPredicate {
        try filter(condition).count > 0
    }

    /// Whether every object fulfils a condition; true if there are none.
    public func all(_ condition: (ObjectFields<Object>) throws -> ObjectPredicate) rethrows -> ObjectPredicate {
        try filter { try !condition($0) }.count == 0
    }

    /// Whether no object fulfils a condition.
    public func none(_ condition: (ObjectFields<Object>) throws -> ObjectPredicate) rethrows -> ObjectPredicate {
        try filter(condition).count == 0
    }

    /// Whether an object is one of the objects.
    public func contains(_ object: Object) -> ObjectPredicate { contains(object.predicateExpression) }

    /// Whether the object with an ID is one of the objects.
    public func contains(_ id: ManagedObjectID) -> ObjectPredicate { contains(id.predicateExpression) }

    /// Whether there are no objects.
    public var isEmpty: ObjectPredicate { count == 0 }

    private func contains(_ object: ObjectExpression) -> ObjectPredicate {
        .compare(root, .equal, object, modifier: .any)
    }

    // MARK: - Values

    /// The number of objects. (`@count`)
    public var count: ObjectField<Int> { ObjectField(root.appending("@count")) }

    /// The least value of an attribute; NULL if there is none. (`@min`)
    public func min<Value>(_ keyPath: KeyPath<ObjectFields<Object>, ObjectField<Value>>) -> ObjectField<Value> {
        ObjectField(aggregate("@min", keyPath))
    }

    /// The greatest value of an attribute; NULL if there is none. (`@max`)
    public func max<Value>(_ keyPath: KeyPath<ObjectFields<Object>, ObjectField<Value>>) -> ObjectField<Value> {
        ObjectField(aggregate("@max", keyPath))
    }

    /// The sum of the values of an attribute; 0 if there are none. (`@sum`)
    public func sum<Value: Numeric>(
        _ keyPath: KeyPath<ObjectFields<Object>, ObjectField<Value>>
    ) -> ObjectField<Value> {
        ObjectField(aggregate("@sum", keyPath))
    }

    /// The average of the values of an attribute; NULL if there are none. (`@avg`)
    public func average<Value: Numeric>(
        _ keyPath: KeyPath<ObjectFields<Object>, ObjectField<Value>>
    ) -> ObjectField<Double> {
        ObjectField(aggregate("@avg", keyPath))
    }

    private func aggregate<Value>(
        _ name: String, _ keyPath: KeyPath<ObjectFields<Object>, ObjectField<Value>>
    ) -> ObjectExpression {
        let field = ObjectFields<Object>(.evaluatedObject, scope)[keyPath: keyPath]
        guard case .keyPath(let path) = field.expression else {
            scope.note(
                GranaryError(.usage, "\(name) takes an attribute, not the calculated value \(field.expression)"))
            return .null
        }
        return root.appending("\(name).\(path)")
    }
}
