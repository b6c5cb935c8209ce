import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// A column of dictionaries. (`NSFetchRequest.propertiesToFetch`)
///
/// A string literal is the name of a property: `["name", "department.name"]`.
public enum FetchColumn: Sendable, Hashable, ExpressibleByStringLiteral {
    /// An attribute or a to-one relationship, or one reached by a key path over to-one relationships. The value of a
    /// relationship is the ID of the object.
    case property(String)
    /// A computed value.
    case expression(ExpressionDescription)

    /// The property with a name.
    public init(stringLiteral name: String) { self = .property(name) }
}
