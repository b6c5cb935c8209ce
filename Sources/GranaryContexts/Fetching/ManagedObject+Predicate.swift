import GranaryCoordination
package import GranaryModel
public import GranaryPredicates

/// An object can be an argument of a predicate: `try ObjectPredicate("department == %@", department)`. Only its ID is
/// kept.
extension ManagedObject: PredicateArgument {
    /// The object's ID as a constant.
    public var predicateExpression: ObjectExpression { objectID.predicateExpression }
}

/// An object can be tested by a predicate: `try predicate.evaluate(with: department)`. It is tested with its values in
/// the context.
extension ManagedObject: EntityObject {
    package var predicateEntity: (schema: Schema, entity: Schema.Entity) { (layout.schema, layout.entity) }
    package var predicateEntityID: ObjectIdentifier { ObjectIdentifier(layout) }

    package func predicateSubject() -> (subject: any PredicateSubject, check: () throws -> Void) {
        let failure = SubjectFailure()
        return (ObjectSubject(object: self, failure: failure), { try failure.check() })
    }
}
