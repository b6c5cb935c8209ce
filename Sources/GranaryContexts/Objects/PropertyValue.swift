public import GranaryCoordination
public import GranaryPredicates

/// The value of a property in a form that can leave its context: related objects are represented by their IDs.
public enum PropertyValue: Sendable, Hashable {
    /// An attribute's value; nil for NULL.
    case attribute(AttributeValue?)
    /// The object of a to-one relationship; nil for none.
    case object(ManagedObjectID?)
    /// The objects of a to-many relationship, in its order; if it is unordered, by their keys.
    case objects([ManagedObjectID])
}
