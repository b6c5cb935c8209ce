import GranaryModel

/// The relationships that an export can omit, because the table at their other end contains the same links.
struct OmittedInverses {
    let schema: Schema
    /// The concrete entities that are exported, as indexes.
    let exported: Set<Int>

    /// Whether a relationship is omitted.
    ///
    /// Of a one-to-one relationship, the side that is required remains, or else that of the entity with the lower
    /// number. Of an ordered relationship with a to-one inverse, the ordered side remains, which also has the order. A
    /// required to-one relationship is never omitted, because a row without it would be invalid.
    func contains(_ relationship: Schema.Relationship) -> Bool {
        guard !relationship.isToMany, let inverse = relationship.inverse, relationship.description.isOptional else {
            return false
        }
        let other = schema.entities[inverse.owner].relationships[inverse.relationship]
        guard other.isPersistent, other !== relationship, isExported(other) else { return false }
        if other.isToMany { return other.description.isOrdered }
        guard other.description.isOptional else { return true }
        return (other.owner, other.name) < (relationship.owner, relationship.name)
    }

    /// Whether all objects that can have the relationship are exported.
    private func isExported(_ relationship: Schema.Relationship) -> Bool {
        schema.entities[relationship.owner].family.allSatisfy {
            schema.entities[$0].isAbstract || exported.contains($0)
        }
    }
}
