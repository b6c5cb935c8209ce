import GranaryBase

extension ModelCheck {
    /// An entity's number is its place in Core Data's order; from 16001 on the numbers are those of its history tables.
    static let entityLimit = 16_000

    /// How many properties all entities may have together, inherited ones and the elements of composites counted
    /// wherever they are had.
    ///
    /// Every entity of a ``Schema`` knows all its properties, so a chain of ten thousand entities with a property each
    /// would come to fifty million of them. The largest real model known has some thousands.
    static let propertyLimit = 500_000

    /// Whether the model is of a size that may be worked on; every step after this is bounded by it.
    mutating func isWithinLimits() -> Bool {
        guard model.entities.count <= Self.entityLimit else {
            report(.limitExceeded, "\(model.entities.count) entities are more than the limit of \(Self.entityLimit)")
            return false
        }
        var counts = [Int](repeating: 0, count: model.entities.count)
        var total = 0
        for index in tree.order {
            // Each count is at most what the limit leaves, so no sum comes near an overflow.
            counts[index] = (tree.parents[index].map { counts[$0] } ?? 0) + ownCount(model.entities[index])
            total += counts[index]
            guard total <= Self.propertyLimit else {
                report(
                    .limitExceeded,
                    "the entities have more than \(Self.propertyLimit) properties, inherited ones included")
                return false
            }
        }
        return true
    }

    private func ownCount(_ entity: EntityDescription) -> Int {
        var count = entity.attributes.count + entity.relationships.count + entity.fetchedProperties.count
        // Inherited as well: each entity of a schema knows all its constraints.
        for constraint in entity.uniquenessConstraints { count += 1 + constraint.count }
        for attribute in entity.attributes where attribute.type == .composite {
            guard let composite = attribute.compositeName else { continue }
            count += compositeSizes[composite] ?? 0
        }
        return count
    }
}
