package import GranaryModel

/// A relationship and its inverse, with what is needed to keep both sides consistent.
package struct LinkLayout: Sendable {
    /// Identifies a relationship within a schema. Slots are the same in every subentity of the owner.
    package struct ID: Sendable, Hashable {
        package let owner: Int
        package let slot: Int

        package init(_ relationship: Schema.Relationship) {
            owner = relationship.owner
            slot = relationship.slot
        }
    }

    /// One direction of a relationship.
    package struct End: Sendable {
        package let relationship: Schema.Relationship
        package let id: ID
        package let name: String
        package let isToMany: Bool
        package let isOrdered: Bool
        /// The index of the destination entity.
        package let destination: Int

        package init(_ relationship: Schema.Relationship) {
            self.relationship = relationship
            id = ID(relationship)
            name = relationship.name
            isToMany = relationship.isToMany
            isOrdered = relationship.isToMany && relationship.description.isOrdered
            destination = relationship.destination
        }
    }

    package let end: End
    package let inverse: End?

    package var relationship: Schema.Relationship { end.relationship }
    package var id: ID { end.id }
    package var slot: Int { end.id.slot }
    package var name: String { end.name }
    package var isToMany: Bool { end.isToMany }
    package var isOrdered: Bool { end.isOrdered }
    package var isPersistent: Bool { relationship.isPersistent }
    /// Whether an object can have only one owner in a store. Without an inverse, the reference is stored in the
    /// member's row (docs/core-data/sqlite-layout.md#to-many-relationships-without-an-inverse).
    package var isExclusive: Bool { isToMany && isPersistent && inverse == nil }
    /// Whether the relationship is its own inverse.
    package var isOwnInverse: Bool { inverse?.id == id }

    package init(_ relationship: Schema.Relationship, schema: Schema) {
        end = End(relationship)
        inverse = relationship.inverse.map { End(schema.entities[$0.owner].relationships[$0.relationship]) }
    }

    /// Whether a save passes the links to the store one object at a time.
    ///
    /// All other relationships are stored as references in rows: to-ones, and unordered to-manys that mirror a to-one.
    /// Of an unordered many-to-many only one side is written; of an ordered one each ordered side.
    package var isWrittenAsLinks: Bool {
        guard isToMany, isPersistent else { return false }
        guard let inverse else { return true }
        guard inverse.isToMany else { return isOrdered }
        if isOrdered || isOwnInverse { return true }
        if inverse.isOrdered { return false }
        return (id.owner, id.slot) < (inverse.id.owner, inverse.id.slot)
    }
}
