public import GranaryCoordination
public import GranaryPredicates

/// The properties of an object in a condition that is written in Swift: the tested object, or one that a to-one
/// relationship leads to.
///
/// ```swift
/// try context.fetch(Book.self) { $0.title.beginsWith("A") && $0.author.name == "Ann" && $0.publisher == publisher }
/// ```
/// It has the properties of the class that are in the model: an attribute is an ``ObjectField``, a to-one relationship
/// again `ObjectFields`, a to-many relationship ``RelatedObjects``, and a composite attribute ``CompositeFields``. The
/// compiler checks the names and types; ``ManagedObject/propertyNames`` gives the names in the model.
@dynamicMemberLookup
public struct ObjectFields<Object: ManagedObject> {
    let root: ObjectExpression
    let scope: ConditionScope

    init(_ root: ObjectExpression, _ scope: ConditionScope) {
        self.root = root
        self.scope = scope
    }

    func expression(_ keyPath: PartialKeyPath<Object>) -> ObjectExpression {
        root.appending(scope.name(of: keyPath))
    }

    // MARK: - Properties

    /// An attribute.
    public subscript<Value: AttributeRepresentable>(
        dynamicMember keyPath: KeyPath<Object, Value>
    ) -> ObjectField<Value> {
        ObjectField(expression(keyPath))
    }

    /// An optional attribute.
    public subscript<Value: AttributeRepresentable>(
        dynamicMember keyPath: KeyPath<Object, Value?>
    ) -> ObjectField<Value> {
        ObjectField(expression(keyPath))
    }

    /// An attribute without a type.
    public subscript(dynamicMember keyPath: KeyPath<Object, AttributeValue?>) -> ObjectField<AttributeValue> {
        ObjectField(expression(keyPath))
    }

    /// A composite attribute.
    public subscript<Elements: CompositeElements>(
        dynamicMember keyPath: KeyPath<Object, Elements>
    ) -> CompositeFields<Object, Elements> {
        CompositeFields(fields: self, keyPath: keyPath)
    }

    /// A to-one relationship.
    public subscript<Other: ManagedObject>(dynamicMember keyPath: KeyPath<Object, Other?>) -> ObjectFields<Other> {
        ObjectFields<Other>(expression(keyPath), scope)
    }

    /// A to-many relationship.
    public subscript<Other: ManagedObject>(
        dynamicMember keyPath: KeyPath<Object, Set<Other>>
    ) -> RelatedObjects<Other> {
        RelatedObjects(expression(keyPath), scope)
    }

    /// An ordered to-many relationship.
    public subscript<Other: ManagedObject>(dynamicMember keyPath: KeyPath<Object, [Other]>) -> RelatedObjects<Other> {
        RelatedObjects(expression(keyPath), scope)
    }

    // MARK: - The object itself

    /// Whether it is an object; nil for no object.
    public static func == (left: Self, right: Object?) -> ObjectPredicate { left.compared(.equal, right) }

    /// Whether it is another object; nil for no object.
    public static func != (left: Self, right: Object?) -> ObjectPredicate { left.compared(.notEqual, right) }

    /// Whether it is the object with an ID.
    public static func == (left: Self, right: ManagedObjectID) -> ObjectPredicate { left.compared(.equal, right) }

    /// Whether it is not the object with an ID.
    public static func != (left: Self, right: ManagedObjectID) -> ObjectPredicate { left.compared(.notEqual, right) }

    /// Whether both are the same object.
    public static func == (left: Self, right: Self) -> ObjectPredicate { left.compared(.equal, right.root) }

    /// Whether they are different objects.
    public static func != (left: Self, right: Self) -> ObjectPredicate { left.compared(.notEqual, right.root) }

    /// Whether it is one of the objects. (`IN`)
    public func `in`(_ objects: some Collection<Object> & PredicateArgument) -> ObjectPredicate {
        compared(.isIn, objects)
    }

    /// Whether it is one of the objects with these IDs. (`IN`)
    public func `in`(_ ids: some Collection<ManagedObjectID> & PredicateArgument) -> ObjectPredicate {
        compared(.isIn, ids)
    }

    private func compared(
        _ operation: ObjectPredicate.Operator, _ right: (some PredicateArgument)?
    ) -> ObjectPredicate {
        .compare(root, operation, right?.predicateExpression ?? .null)
    }
}
