import GranaryModel

/// How the objects of one entity are built: worked out once, so that nothing is looked up by name in loops.
final class ObjectLayout: Sendable {
    let schema: Schema
    let entity: Schema.Entity
    let objectClass: ManagedObject.Type
    let relationships: [LinkLayout]
    /// The values of a new object.
    let defaults: [SlotValue]
    /// The values of a stored object before its row is read: transient properties start anew.
    let blanks: [SlotValue]
    /// Which property each slot is for.
    let places: [Place]

    enum Place: Sendable {
        case attribute(Schema.Attribute)
        /// An index into ``relationships``.
        case relationship(Int)
        case none
    }

    /// Whether the store works some of its values out itself.
    let hasDerivedAttributes: Bool

    var index: Int { entity.index }

    init(schema: Schema, entity: Schema.Entity, objectClass: ManagedObject.Type) {
        self.schema = schema
        self.entity = entity
        self.objectClass = objectClass
        relationships = entity.relationships.map { LinkLayout($0, schema: schema) }
        var defaults = [SlotValue](repeating: .attribute(nil), count: entity.slotCount)
        var blanks = defaults
        var places = [Place](repeating: .none, count: entity.slotCount)
        for attribute in entity.attributes {
            places[attribute.slot] = .attribute(attribute)
            defaults[attribute.slot] = .attribute(attribute.description.defaultValue)
            if !attribute.isPersistent { blanks[attribute.slot] = defaults[attribute.slot] }
        }
        for (index, link) in relationships.enumerated() {
            places[link.slot] = .relationship(index)
            let nothing = link.isToMany ? SlotValue.toMany(LinkedObjects(isOrdered: link.isOrdered)) : .toOne(nil)
            defaults[link.slot] = nothing
            blanks[link.slot] = link.isToMany && link.isPersistent ? .toMany(nil) : nothing
        }
        self.defaults = defaults
        self.blanks = blanks
        self.places = places
        hasDerivedAttributes = entity.attributes.contains { $0.description.derivationExpression != nil }
    }

    func isKind(of ancestor: Int) -> Bool { schema.entity(entity.index, isKindOf: ancestor) }
}

/// A relationship and its inverse, with all that keeping the two in step needs.
struct LinkLayout: Sendable {
    /// Names a relationship over a schema: slots are the same in every subentity of the owner.
    struct ID: Sendable, Hashable {
        let owner: Int
        let slot: Int

        init(_ relationship: Schema.Relationship) {
            owner = relationship.owner
            slot = relationship.slot
        }
    }

    /// One direction of a relationship.
    struct End: Sendable {
        let relationship: Schema.Relationship
        let id: ID
        let name: String
        let isToMany: Bool
        let isOrdered: Bool
        /// The entity whose objects it leads to, as an index.
        let destination: Int

        init(_ relationship: Schema.Relationship) {
            self.relationship = relationship
            id = ID(relationship)
            name = relationship.name
            isToMany = relationship.isToMany
            isOrdered = relationship.isToMany && relationship.description.isOrdered
            destination = relationship.destination
        }
    }

    let end: End
    let inverse: End?

    var relationship: Schema.Relationship { end.relationship }
    var id: ID { end.id }
    var slot: Int { end.id.slot }
    var name: String { end.name }
    var isToMany: Bool { end.isToMany }
    var isOrdered: Bool { end.isOrdered }
    var isPersistent: Bool { relationship.isPersistent }
    /// Whether a store lets an object belong to one owner only: without an inverse, the reference lies in the
    /// member's own row (sqlite-layout §5).
    var isExclusive: Bool { isToMany && isPersistent && inverse == nil }
    /// Whether it is its own inverse.
    var isOwnInverse: Bool { inverse?.id == id }

    init(_ relationship: Schema.Relationship, schema: Schema) {
        end = End(relationship)
        inverse = relationship.inverse.map { End(schema.entities[$0.owner].relationships[$0.relationship]) }
    }

    /// Whether a save hands its links to the store one object at a time.
    ///
    /// The rest travels as references in rows: to-ones, and to-manys that mirror a to-one and have no order. Of a
    /// many-to-many without order only one side is written, of one with order each ordered side.
    var isWrittenAsLinks: Bool {
        guard isToMany, isPersistent else { return false }
        guard let inverse else { return true }
        guard inverse.isToMany else { return isOrdered }
        if isOrdered || isOwnInverse { return true }
        if inverse.isOrdered { return false }
        return (id.owner, id.slot) < (inverse.id.owner, inverse.id.slot)
    }
}
