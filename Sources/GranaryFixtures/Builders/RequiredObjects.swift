import GranaryContexts
import GranaryGeneration
import GranaryModel

/// The objects that must be generated with others because required relationships lead to them and there are none that
/// they can share.
struct RequiredObjects {
    let schema: Schema
    /// The number of stored objects of an entity and its subentities.
    let storedCount: (Schema.Entity) throws -> Int

    /// The largest number of objects that come with one group.
    static let maximumCount = 1_000_000

    /// The counts by entity, with those of the objects themselves.
    func counts(for entity: Schema.Entity, _ count: Int) throws -> [String: Int] {
        var counts = [entity.name: count]
        var queue = [(entity, count)]
        while let (entity, count) = queue.popLast() {
            for relationship in entity.relationships where relationship.isRequired {
                let destination = schema.entities[relationship.destination]
                guard
                    let concrete = destination.family.map({ schema.entities[$0] }).first(where: { !$0.isAbstract }),
                    !counts.contains(where: { isKind($0.key, of: destination) })
                else { continue }
                let number = try missing(relationship, count, destination)
                guard number > 0 else { continue }
                counts[concrete.name] = number
                queue.append((concrete, number))
            }
        }
        return counts
    }

    private func isKind(_ name: String, of ancestor: Schema.Entity) -> Bool {
        schema.entity(named: name).map { schema.entity($0.index, isKindOf: ancestor.index) } ?? false
    }

    private func missing(
        _ relationship: Schema.Relationship, _ count: Int, _ destination: Schema.Entity
    ) throws -> Int {
        let inverse = schema.inverseRelationship(of: relationship)
        let wanted = relationship.isToMany ? max(1, relationship.description.minCount) : 1
        // A destination with a to-one inverse, or in a list without an inverse, belongs to one object.
        let belongsToOne = inverse.map { !$0.isToMany } ?? relationship.isToMany
        if belongsToOne { return product(count, wanted) }
        let maximum = inverse?.description.maxCount ?? 0
        if maximum > 0 { return max(wanted, (product(count, wanted) - 1) / maximum + 1) }
        return max(0, wanted - (try storedCount(destination)))
    }

    private func product(_ count: Int, _ wanted: Int) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: wanted)
        return overflow ? Self.maximumCount : min(product, Self.maximumCount)
    }
}

extension Schema.Relationship {
    /// Whether each object needs at least one destination.
    var isRequired: Bool {
        isPersistent && !description.isOptional && (!isToMany || description.minCount > 0)
    }
}
