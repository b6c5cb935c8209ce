/// An operand of a comparison. (`NSExpression`)
public indirect enum ObjectExpression: Sendable, Hashable, Codable {
    /// The tested object or value: `SELF`.
    case evaluatedObject
    /// A constant value.
    case constant(AttributeValue)
    /// NULL: `nil` in the format language.
    case null
    /// A managed object, by its ID.
    case object(ObjectReference)
    /// `$name`, without the sign. Replace it with ``ObjectPredicate/substituting(_:)``.
    case variable(String)
    /// A value reached from the tested object by property names joined by points: `department.name`, `length` of a
    /// text, `employees.@count`.
    case keyPath(String)
    /// A value reached by a key path from another expression: `$employee.name`, `SUBQUERY(...).@count`.
    case path(String, of: ObjectExpression)
    /// Several values: `{1, 2}`.
    case list([ObjectExpression])
    /// A function of the format language by its Objective-C name: `add:to:`, `lowercase:`, `now`.
    case function(String, [ObjectExpression])
    /// A method of an object: `FUNCTION(operand, "name:", argument)`. It is kept, but cannot be evaluated.
    case method(String, of: ObjectExpression, [ObjectExpression])
    /// A class, as the operand of a method or the type of a cast in a model file.
    case className(String)
    /// The elements of a collection that satisfy a condition on the variable: `SUBQUERY(collection, $x, condition)`.
    case subquery(ObjectExpression, variable: String, ObjectPredicate)
    /// `TERNARY(condition, value if true, value if false)`.
    case conditional(ObjectPredicate, ObjectExpression, ObjectExpression)
    /// The element of a collection at an index: `names[2]`, `names[FIRST]`, and `names[SIZE]`, the number of elements.
    case element(of: ObjectExpression, Index)
    /// Two collections combined: `a UNION b`.
    case combined(ObjectExpression, SetOperation, ObjectExpression)

    /// Which element of a collection.
    public indirect enum Index: Sendable, Hashable, Codable {
        /// The element at a place, counted from 0.
        case at(ObjectExpression)
        /// The first element; NULL if there is none.
        case first
        /// The last element; NULL if there is none.
        case last
        /// The number of elements.
        case size
    }

    /// A way to combine two collections. (`NSExpression.ExpressionType`)
    public enum SetOperation: String, Sendable, Hashable, Codable {
        /// The elements of both.
        case union = "UNION"
        /// The elements that both have.
        case intersect = "INTERSECT"
        /// The elements of the first that the second does not have.
        case minus = "MINUS"
    }
}
