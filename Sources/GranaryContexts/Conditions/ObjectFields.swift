public import GranaryCoordination
public import GranaryPredicates

/// The properties of an object in a condition.
///
/// ```swift
/// let books = try context.fetch(Book.self) { $0.title.beginsWith("A") && $0.author.name == "Ann" }
/// ```
/// A generated class has a field for each attribute and relationship. For a class that you write by hand, declare them in
/// an extension with the names of the model:
///
/// ```swift
/// extension ObjectFields where Object: Book {
///     var title: AttributeField<String> { AttributeField(self, "title") }
///     var author: ObjectFields<Author> { ObjectFields<Author>(self, "author") }
///     var chapters: ToManyField<Chapter> { ToManyField(self, "chapters") }
/// }
/// ```
/// Subclasses have the fields, too. A field of a to-one relationship has the fields of the other object; where there is no
/// object, they are NULL.
public struct ObjectFields<Object: ManagedObject> {
    let expression: ObjectExpression
    let scope: ConditionScope

    init(_ expression: ObjectExpression, _ scope: ConditionScope) {
        self.expression = expression
        self.scope = scope
    }

    /// The fields of the tested object.
    init() { self.init(.evaluatedObject, ConditionScope()) }

    /// The field of a to-one relationship.
    public init(_ owner: ObjectFields<some ManagedObject>, _ name: String) {
        self.init(owner.expression.appending(name), owner.scope)
    }
}

extension ObjectFields {
    /// Whether it is that object; with nil, whether there is no object.
    public static func == (fields: Self, object: Object?) -> ObjectPredicate {
        .compare(fields.expression, .equal, object?.predicateExpression ?? .null)
    }

    /// Whether it is not that object; with nil, whether there is an object.
    public static func != (fields: Self, object: Object?) -> ObjectPredicate {
        .compare(fields.expression, .notEqual, object?.predicateExpression ?? .null)
    }

    /// Whether it is the object of that ID.
    public static func == (fields: Self, id: ManagedObjectID) -> ObjectPredicate {
        .compare(fields.expression, .equal, id.predicateExpression)
    }

    /// Whether it is not the object of that ID.
    public static func != (fields: Self, id: ManagedObjectID) -> ObjectPredicate {
        .compare(fields.expression, .notEqual, id.predicateExpression)
    }

    /// Whether both are the same object, or there is none at both places.
    public static func == (fields: Self, others: Self) -> ObjectPredicate {
        .compare(fields.expression, .equal, others.expression)
    }

    /// Whether the two are different objects, or only one of them is there.
    public static func != (fields: Self, others: Self) -> ObjectPredicate {
        .compare(fields.expression, .notEqual, others.expression)
    }

    /// Whether it is one of the objects. (`IN`)
    public func `in`(_ objects: some Sequence<Object>) -> ObjectPredicate {
        isIn(objects.map(\.objectID))
    }

    /// Whether it is one of the objects of the IDs. (`IN`)
    public func `in`(_ ids: some Sequence<ManagedObjectID>) -> ObjectPredicate { isIn(Array(ids)) }

    private func isIn(_ ids: [ManagedObjectID]) -> ObjectPredicate {
        // A set has no order of its own, and equal conditions shall be equal predicates.
        let sorted = ids.map { ($0.predicateExpression, $0.predicateExpression.description) }.sorted { $0.1 < $1.1 }
        return .compare(expression, .isIn, .list(sorted.map(\.0)))
    }
}
