package import GranaryBase

/// An object with an entity, on which predicates can be evaluated: a managed object.
package protocol PredicateObject {
    /// Objects with the same identifier have the same entity.
    var predicateEntityID: ObjectIdentifier { get }
    /// Returns the object for an evaluation, and a function that throws the error if reading the object failed
    /// meanwhile.
    func predicateSubject() -> (subject: any PredicateSubject, check: () throws -> Void)
    /// Returns the predicate with its constants converted, after checking it against the entity.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for a predicate that does not fit the entity.
    func resolved(_ predicate: ObjectPredicate) throws(GranaryError) -> ObjectPredicate
    /// Returns the expression with its constants converted, after checking it against the entity.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for an expression that does not fit the entity.
    func resolved(_ expression: ObjectExpression) throws(GranaryError) -> ObjectExpression
}
