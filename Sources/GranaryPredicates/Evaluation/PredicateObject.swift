package import GranaryBase

/// An object with an entity, which predicates can be evaluated on: a managed object.
package protocol PredicateObject {
    /// Objects with the same identifier have the same entity.
    var predicateEntityID: ObjectIdentifier { get }
    /// The object for an evaluation, and a check that throws what went wrong while it was read.
    func predicateSubject() -> (subject: any PredicateSubject, check: () throws -> Void)
    /// The predicate, checked against the entity, with its constants converted.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for what the entity does not have.
    func resolved(_ predicate: ObjectPredicate) throws(GranaryError) -> ObjectPredicate
    /// The expression, checked as a predicate is.
    ///
    /// - Throws: as for a predicate.
    func resolved(_ expression: ObjectExpression) throws(GranaryError) -> ObjectExpression
}
