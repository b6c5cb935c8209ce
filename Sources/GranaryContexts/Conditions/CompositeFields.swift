public import GranaryPredicates

/// The elements of a composite attribute in a condition that is written in Swift: `$0.venue.place.x > 1.5`.
@dynamicMemberLookup
public struct CompositeFields<Object: ManagedObject, Elements: CompositeElements> {
    let fields: ObjectFields<Object>
    let keyPath: KeyPath<Object, Elements>

    /// An element.
    public subscript<Value: AttributeRepresentable>(
        dynamicMember member: KeyPath<Elements, Value>
    ) -> ObjectField<Value> {
        ObjectField(fields.expression(keyPath.appending(path: member)))
    }

    /// An optional element.
    public subscript<Value: AttributeRepresentable>(
        dynamicMember member: KeyPath<Elements, Value?>
    ) -> ObjectField<Value> {
        ObjectField(fields.expression(keyPath.appending(path: member)))
    }

    /// A composite within the composite.
    public subscript<Inner: CompositeElements>(
        dynamicMember member: KeyPath<Elements, Inner>
    ) -> CompositeFields<Object, Inner> {
        CompositeFields<Object, Inner>(fields: fields, keyPath: keyPath.appending(path: member))
    }
}
