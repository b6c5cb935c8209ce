import GranaryBase

/// Turns a model without problems into a ``Schema``: numbers entities, flattens inheritance, compiles rules.
struct SchemaBuilder {
    let model: ManagedObjectModel
    /// The numbers that a store has given the entities, where they count.
    var numbers: [String: Int] = [:]

    func build() throws(GranaryError) -> Schema {
        let order = Self.numbered(model.entities, numbers: numbers)
        let indexes = Dictionary(order.map { ($0.entity.name, $0.index) }) { first, _ in first }
        return Schema(model: model, entities: try entities(order: order, indexes: indexes))
    }

    /// One entity in its place, before its properties are known.
    struct Place {
        let index: Int
        let entity: EntityDescription
        let superentity: Int?
        let root: Int
        /// One past its last subentity.
        var end: Int
    }

    /// Core Data's order (sqlite-layout §3): roots by lower-cased name, each followed depth first by its subentities.
    /// Entities on a cycle of inheritance are not reached; the model check refuses them before.
    ///
    /// - Parameter numbers: a store's own numbers. They decide where they are in such an order, siblings aside, from 1
    ///   without a gap; otherwise they do not count.
    static func numbered(_ entities: [EntityDescription], numbers: [String: Int] = [:]) -> [Place] {
        if !numbers.isEmpty {
            let order = places(entities) { numbers[$0.name, default: .max] < numbers[$1.name, default: .max] }
            if order.allSatisfy({ numbers[$0.entity.name] == $0.index + 1 }) { return order }
        }
        return places(entities) { left, right in
            let folded = (left.name.lowercased(), right.name.lowercased())
            return folded.0 == folded.1 ? utf8Less(left.name, right.name) : utf8Less(folded.0, folded.1)
        }
    }

    private static func places(
        _ entities: [EntityDescription], by isBefore: (EntityDescription, EntityDescription) -> Bool
    ) -> [Place] {
        var children: [String?: [EntityDescription]] = [:]
        for entity in entities { children[entity.superentityName, default: []].append(entity) }
        for key in children.keys { children[key]?.sort(by: isBefore) }
        var places: [Place] = []
        // A stack rather than recursion: inheritance may be as deep as the model's author likes.
        var stack = (children[nil] ?? []).reversed().map { (entity: $0, superentity: Int?.none) }
        while let (entity, superentity) = stack.popLast() {
            let index = places.count
            let root = superentity.map { places[$0].root } ?? index
            places.append(Place(index: index, entity: entity, superentity: superentity, root: root, end: index + 1))
            for child in (children[entity.name] ?? []).reversed() { stack.append((child, index)) }
        }
        for place in places.reversed() {
            if let superentity = place.superentity {
                places[superentity].end = max(places[superentity].end, places[place.index].end)
            }
        }
        return places
    }

    private func entities(order: [Place], indexes: [String: Int]) throws(GranaryError) -> [Schema.Entity] {
        let composites = CompositeFlattener(model: model)
        let inverses = InverseFinder(order: order, indexes: indexes)
        var entities: [Schema.Entity] = []
        for place in order {
            let parent = place.superentity.map { entities[$0] }
            var attributes = parent?.attributes ?? []
            var relationships = parent?.relationships ?? []
            var slotsByName = parent?.slotsByName ?? [:]
            var slot = parent?.slotCount ?? 0
            // A redeclared property is ignored: the superentity's declaration is used (``ModelCheck`` warns).
            let inheritedNames = parent?.propertyNames ?? []
            for attribute in place.entity.attributes where !inheritedNames.contains(attribute.name) {
                for leaf in composites.leaves(of: attribute) {
                    slotsByName[leaf.path] = .attribute(attributes.count)
                    attributes.append(
                        Schema.Attribute(
                            slot: slot, name: leaf.path, owner: place.index, description: leaf.attribute,
                            validator: try AttributeValidator(leaf.attribute)))
                    slot += 1
                }
            }
            for relationship in place.entity.relationships where !inheritedNames.contains(relationship.name) {
                guard let destination = indexes[relationship.destinationEntityName] else { continue }
                slotsByName[relationship.name] = .relationship(relationships.count)
                relationships.append(
                    Schema.Relationship(
                        slot: slot, owner: place.index, description: relationship, destination: destination,
                        inverse: inverses.inverse(of: relationship, to: destination)))
                slot += 1
            }
            let inherited = parent?.uniquenessConstraints ?? []
            let own = place.entity.uniquenessConstraints.map { names in
                Schema.UniquenessConstraint(
                    owner: place.index, properties: names.compactMap { slotsByName[$0] }, names: names)
            }
            entities.append(
                Schema.Entity(
                    index: place.index, description: place.entity, superentity: place.superentity, root: place.root,
                    family: place.index..<place.end, attributes: attributes, relationships: relationships,
                    uniquenessConstraints: inherited + own, slotCount: slot, slotsByName: slotsByName,
                    propertyNames: inheritedNames.union(place.entity.propertyNames)))
        }
        return entities
    }
}

/// Order by bytes: the same on every machine and in every locale.
package func utf8Less(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
}
