import GranaryPredicates
import GranaryPropertyLists

/// A validation predicate of an attribute and its warning.
struct ValidationEntry: Sendable {
    var predicate: ObjectPredicate
    /// The entry in `NSValidationWarnings`: a message or the number of an error; nil for none.
    var warning: PropertyListValue?
}
