/// Finds the other end of each relationship, by name and through superentities, before the entities are made.
struct InverseFinder {
    /// The relationships that each entity has, inherited ones first and in the places that ``Schema/Entity`` has them.
    private let relationships: [[(owner: Int, description: RelationshipDescription)]]
    /// The place of each name in ``relationships``.
    private let places: [[String: Int]]

    init(order: [SchemaBuilder.Place], indexes: [String: Int]) {
        var relationships: [[(owner: Int, description: RelationshipDescription)]] = []
        var places: [[String: Int]] = []
        var propertyNames: [Set<String>] = []
        for place in order {
            var list = place.superentity.map { relationships[$0] } ?? []
            var names = place.superentity.map { places[$0] } ?? [:]
            // A relationship without a destination is left out. The superentity's declaration replaces a redeclared property.
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

    /// Nil where none is named, and where the one that is named is the other end of another relationship: keeping both
    /// right is impossible.
    func inverse(of relationship: RelationshipDescription, to destination: Int) -> Schema.Inverse? {
        guard let name = relationship.inverseName, let place = places[destination][name] else { return nil }
        let (owner, inverse) = relationships[destination][place]
        guard inverse.inverseName == relationship.name else { return nil }
        return Schema.Inverse(owner: owner, relationship: place)
    }
}
