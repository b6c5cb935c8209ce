import GranaryModel

/// The relationships that an export can omit, because the table at their other end contains the same links.
struct OmittedInverses {
    let schema: Schema
    /// The concrete entities that are exported, as indexes.
    let exported: Set<Int>

    /// Whether a relationship is omitted.
    ///
    /// A required to-one relationship is never omitted, because a row without it would be invalid. If both sides of a
    /// one-to-one relationship are optional, the side of the entity with the lower number is kept. If a to-one
    /// relationship has an ordered inverse, the inverse is kept, because only it contains the order.
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
