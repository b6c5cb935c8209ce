public import GranaryModel

/// A property that a structure of values has.
public struct ValueProperty: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case attribute(AttributeType)
        case toOne
    }

    /// The name in the model; an element of a composite attribute has the name of the composite before it: `place.x`.
    public let name: String
    let kind: Kind
    /// Whether the property is not optional in the structure.
    let isRequired: Bool

    /// An attribute that is nil for NULL.
    public static func optional(_ name: String, _ type: AttributeType) -> Self {
        Self(name: name, kind: .attribute(type), isRequired: false)
    }

    /// An attribute that has the type's empty value for NULL.
    public static func required(_ name: String, _ type: AttributeType) -> Self {
        Self(name: name, kind: .attribute(type), isRequired: true)
    }

    /// A to-one relationship.
    public static func toOne(_ name: String) -> Self { Self(name: name, kind: .toOne, isRequired: false) }
}
