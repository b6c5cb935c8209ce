import GranaryBase

/// Converts a model without problems to a ``Schema``: it numbers entities, flattens inheritance and compiles rules.
struct SchemaBuilder {
    let model: ManagedObjectModel
    /// The entity numbers of an existing store.
    var numbers: [String: Int] = [:]

    func build() throws(GranaryError) -> Schema {
        let order = Self.numbered(model.entities, numbers: numbers)
        let indexes = Dictionary(order.map { ($0.entity.name, $0.index) }) { first, _ in first }
        return Schema(model: model, entities: try entities(order: order, indexes: indexes))
    }

    /// The position of an entity in the schema's order.
    struct Place {
        let index: Int
        let entity: EntityDescription
        let superentity: Int?
        let root: Int
        /// The indexes of itself and its subentities.
        let family: Range<Int>
    }

    /// Core Data's order (docs/core-data/sqlite-layout.md#entity-numbers): roots by lower-cased name, each followed
    /// depth first by its subentities.
    ///
    /// - Parameter numbers: the entity numbers of a store. They are used if they run from 1 without a gap and order
    ///   each entity before its subentities; otherwise they are ignored.
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
        let sorted = entities.sorted(by: isBefore)
        let tree = EntityTree(sorted)
        var places: [Place] = []
        for (index, place) in tree.order.enumerated() {
            let superentity = tree.parents[place].map { tree.families[$0].lowerBound }
            places.append(
                Place(
                    index: index, entity: sorted[place], superentity: superentity,
                    root: superentity.map { places[$0].root } ?? index, family: tree.families[place]))
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
                    for name in leaf.names { slotsByName[name] = .attribute(attributes.count) }
                    attributes.append(
                        Schema.Attribute(
                            slot: slot, name: leaf.path, owner: place.index, description: leaf.attribute,
                            cases: leaf.cases, mayHoldJSON: composites.isSwiftData && leaf.attribute.mayHoldJSON,
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
                    family: place.family, attributes: attributes, relationships: relationships,
                    uniquenessConstraints: inherited + own, slotCount: slot, slotsByName: slotsByName,
                    propertyNames: inheritedNames.union(place.entity.propertyNames)))
        }
        return entities
    }
}

extension CompositeLeaf {
    /// The names by which it is found. Swift code names the raw value of an enumeration, and Core Data the element.
    fileprivate var names: [String] {
        isRawValue ? [path, "\(path).\(attribute.name)", "\(path).rawValue"] : [path]
    }
}

extension AttributeDescription {
    /// Whether SwiftData can store arrays and dictionaries in it as JSON text. It does so in Binary attributes.
    fileprivate var mayHoldJSON: Bool { type == .binary && !allowsExternalBinaryDataStorage }
}

/// Compares text by bytes, independently of the locale.
package func utf8Less(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
}
