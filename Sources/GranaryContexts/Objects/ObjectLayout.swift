import GranaryCoordination
import GranaryModel

/// The layout of an entity's objects, computed once, so that loops do not look up names.
final class ObjectLayout: Sendable {
    let schema: Schema
    let entity: Schema.Entity
    let objectClass: ManagedObject.Type
    let relationships: [LinkLayout]
    /// The values of a new object.
    let defaults: [SlotValue]
    /// The values of a stored object before its row is read, with the defaults of transient properties.
    let blanks: [SlotValue]
    /// The property of each slot.
    let places: [Place]
    let attributePlaces: AttributePlaces

    enum Place: Sendable {
        case storedAttribute(AttributeType)
        case storedToOne
        /// A to-many relationship, or a property that the store does not have.
        case none
    }

    /// Whether the store computes some of the values.
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
            if attribute.isPersistent { places[attribute.slot] = .storedAttribute(attribute.type) }
            defaults[attribute.slot] = .attribute(attribute.description.defaultValue)
            if !attribute.isPersistent { blanks[attribute.slot] = defaults[attribute.slot] }
        }
        for link in relationships {
            if link.isPersistent, !link.isToMany { places[link.slot] = .storedToOne }
            let nothing = link.isToMany ? SlotValue.toMany(LinkedObjects(isOrdered: link.isOrdered)) : .toOne(nil)
            defaults[link.slot] = nothing
            blanks[link.slot] = link.isToMany && link.isPersistent ? .toMany(nil) : nothing
        }
        self.defaults = defaults
        self.blanks = blanks
        self.places = places
        attributePlaces = AttributePlaces(entity.attributes)
        hasDerivedAttributes = entity.attributes.contains { $0.description.derivationExpression != nil }
    }

    func isKind(of ancestor: Int) -> Bool { schema.entity(entity.index, isKindOf: ancestor) }
}
