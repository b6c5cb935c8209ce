import GranaryCoordination
public import GranaryModel

/// An object can be an argument of a predicate: `try ObjectPredicate("department == %@", department)`. Only its ID is
/// kept.
extension ManagedObject: PredicateArgument {
    /// The object's ID as a constant.
    public var predicateExpression: ObjectExpression { objectID.predicateExpression }
}
