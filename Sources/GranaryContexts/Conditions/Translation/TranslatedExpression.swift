import GranaryBase
import GranaryPredicates

/// What an expression of Foundation's `#Predicate` means.
enum TranslatedExpression {
    case value(ObjectExpression)
    case condition(ObjectPredicate)
    /// A condition on an optional value; nil if the value is nil.
    case optional(ObjectPredicate, of: ObjectExpression)
    /// The bounds of a range.
    case range(ObjectExpression, ObjectExpression, isClosed: Bool)
    /// A composite attribute: the key path to it, its object's class, and the object.
    case composite(AnyKeyPath, ManagedObject.Type, of: ObjectExpression)

    func expression() throws(GranaryError) -> ObjectExpression {
        switch self {
        case .value(let value): return value
        case .condition(.constant(let truth)): return .constant(.boolean(truth))
        case .condition(let condition):
            return .conditional(condition, .constant(.boolean(true)), .constant(.boolean(false)))
        case .optional(let condition, let value):
            return .conditional(
                .compare(value, .equal, .null), .null, try Self.condition(condition).expression())
        case .range: throw PredicateTranslator.refused("a range that is compared")
        case .composite: throw PredicateTranslator.refused("a composite attribute as a whole")
        }
    }

    func predicate() throws(GranaryError) -> ObjectPredicate {
        switch self {
        case .condition(let condition): return condition
        case .value(.constant(.boolean(let truth))): return .constant(truth)
        default: return .compare(try expression(), .equal, .constant(.boolean(true)))
        }
    }
}
