/// Finds the inverse of each relationship by name, including inherited relationships, before the schema's entities
/// exist.
struct InverseFinder {
    /// The relationships of each entity, inherited ones first, in the order of ``Schema/Entity/relationships``.
    private let relationships: [[(owner: Int, description: RelationshipDescription)]]
    /// The index of each name in ``relationships``.
    private let places: [[String: Int]]

    init(order: [SchemaBuilder.Place], indexes: [String: Int]) {
        var relationships: [[(owner: Int, description: RelationshipDescription)]] = []
        var places: [[String: Int]] = []
        var propertyNames: [Set<String>] = []
        for place in order {
            var list = place.superentity.map { relationships[$0] } ?? []
            var names = place.superentity.map { places[$0] } ?? [:]
            // A relationship without a destination is omitted. The superentity's declaration replaces a redeclared
            // property.
            let inherited = place.superentity.map { propertyNames[$0] } ?? []
            propertyNames.append(inherited.union(place.entity.propertyNames))
            for own in place.entity.relationships
            where indexes[own.destinationEntityName] != nil && !inherited.contains(own.name) {
                names[own.name] = list.count
                list.append((place.index, own))
            }
            relationships.append(list)
            places.append(names)
        }
        self.relationships = relationships
        self.places = places
    }

    /// The inverse of a relationship; nil if none is named, or if the named relationship is the inverse of another
    /// relationship, because it cannot mirror both.
    func inverse(of relationship: RelationshipDescription, to destination: Int) -> Schema.Inverse? {
        guard let name = relationship.inverseName, let place = places[destination][name] else { return nil }
        let (owner, inverse) = relationships[destination][place]
        guard inverse.inverseName == relationship.name else { return nil }
        return Schema.Inverse(owner: owner, relationship: place)
    }
}
