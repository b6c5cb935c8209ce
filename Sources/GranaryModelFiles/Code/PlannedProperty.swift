import GranaryModel
import GranaryPredicates

/// An accessor to generate.
struct PlannedProperty {
    indirect enum Kind {
        case attribute(AttributeAccess, isReadOnly: Bool)
        /// The value of an attribute without change tracking.
        case primitive(AttributeAccess, isReadOnly: Bool)
        /// A structure with a property for each element.
        case composite(typeName: String, [PlannedProperty])
        /// The class of the other end; nil for the plain managed object.
        case toOne(String?)
        /// `suffix` is the end of the methods' names: `addToSkills`.
        case toMany(String?, isOrdered: Bool, suffix: String)
        case fetched(String?)
    }

    /// The identifier.
    let name: String
    /// The name in the model; for an element of a composite with the composite's name before it.
    let key: String
    let kind: Kind
    /// What the documentation comment says.
    let summary: String
    /// The user's method that checks the values: `validateEmailid`, as Core Data calls it. Nil for a property that is
    /// not an attribute, and for an attribute that cannot be set.
    var validationName: String?
    /// Whether stores do not keep the property.
    var isTransient = false
}
