public import GranaryCoordination
public import GranaryModel

/// The value of a property as it may leave its context: related objects are named by their IDs.
public enum PropertyValue: Sendable, Hashable {
    /// An attribute's value; nil for none.
    case attribute(AttributeValue?)
    /// The object of a to-one relationship; nil for none.
    case object(ManagedObjectID?)
    /// The objects of a to-many relationship, in its order; where it has none, in the order of their keys.
    case objects([ManagedObjectID])
}
