import GranaryPredicates

/// The elements of a composite attribute in a condition.
///
/// `Composite` is the structure that a generated class has for the attribute. A generated extension declares the elements:
///
/// ```swift
/// extension CompositeFields where Composite == Venue.Place {
///     var x: AttributeField<Double> { AttributeField(self, "x") }
/// }
/// ```
public struct CompositeFields<Composite> {
    let expression: ObjectExpression

    /// The field of a composite attribute.
    public init(_ owner: ObjectFields<some ManagedObject>, _ name: String) {
        expression = owner.expression.appending(name)
    }

    /// The field of a composite element of a composite.
    public init(_ owner: CompositeFields<some Any>, _ name: String) {
        expression = owner.expression.appending(name)
    }
}
