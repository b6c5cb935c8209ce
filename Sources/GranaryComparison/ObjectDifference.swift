import GranaryModel
public import GranaryPredicates

/// An object that two stores do not have in common, or not with the same values.
public struct ObjectDifference: Sendable, Hashable {
    /// The kind of a difference.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Both stores have the object, with different values.
        case changed
        /// Only the first store has the object.
        case onlyInA
        /// Only the second store has the object.
        case onlyInB
    }

    /// An object of a store.
    public struct Object: Sendable, Hashable {
        /// The name of its entity.
        public var entity: String
        /// Its identifier in the store: `Patient/p57`.
        public var id: String
        /// The values of the attributes that pair the objects of its entity, followed by the keys, or else the
        /// identifiers, of the objects to which a relationship of the key refers. Empty if the entity has no such attributes
        /// or one of the values is NULL.
        public var key: [AttributeValue]
    }

    /// A value of a property.
    public enum Value: Sendable, Hashable {
        /// NULL, or a to-one relationship without a destination.
        case null
        /// A value of an attribute. The bytes of a transformable attribute are binary data.
        case value(AttributeValue)
        /// Binary data that is too large to be reported: its size in bytes and its SHA-256 in hexadecimal digits.
        case data(count: Int, digest: String)
        /// The destination of a to-one relationship.
        case object(Object)
        /// The destinations of a to-many relationship: the first ``ObjectDifference/listLimit``, and the number of all.
        case objects([Object], count: Int)
        /// A stored cell that is not a value of the property, with the reason.
        case invalid(String)
    }

    /// A property with different values.
    public struct Property: Sendable, Hashable {
        /// The property's name; for an element of a composite attribute its path.
        public var name: String
        /// Whether the property is an ordered relationship.
        public var isOrdered: Bool
        /// The value in the first store.
        public var a: Value
        /// The value in the second store.
        public var b: Value
    }

    /// The maximum number of destinations of a to-many relationship that a difference lists.
    public static let listLimit = 1_000

    /// The kind of the difference.
    public var kind: Kind
    /// The object in the first store, or for ``Kind/onlyInB`` in the second one.
    public var object: Object
    /// The object's identifier in the second store, if both stores have the object.
    public var idInB: String?
    /// The properties with different values, attributes first; empty unless the kind is ``Kind/changed``.
    public var properties: [Property]

    init(_ kind: Kind, _ object: Object, idInB: String? = nil, properties: [Property] = []) {
        self.kind = kind
        self.object = object
        self.idInB = idInB
        self.properties = properties
    }
}
