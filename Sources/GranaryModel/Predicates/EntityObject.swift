package import GranaryBase
package import GranaryPredicates

/// An object of an entity in a schema. Predicates on the object are checked against the entity.
package protocol EntityObject: PredicateObject {
    /// The entity and its schema.
    var predicateEntity: (schema: Schema, entity: Schema.Entity) { get }
}

extension EntityObject {
    package func resolved(_ predicate: ObjectPredicate) throws(GranaryError) -> ObjectPredicate {
        let (schema, entity) = predicateEntity
        return try PredicateResolver(schema: schema, entity: entity).resolve(predicate)
    }

    package func resolved(_ expression: ObjectExpression) throws(GranaryError) -> ObjectExpression {
        let (schema, entity) = predicateEntity
        return try PredicateResolver(schema: schema, entity: entity).resolve(expression)
    }
}
