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

    /// Objects whose required relationships are not counted yet.
    private struct Waiting {
        let entity: Schema.Entity
        let count: Int
        /// The relationships that led to them. They and their inverses have their objects.
        let path: [Schema.Relationship]
    }

    /// The largest number of groups that are counted; a model with more has cycles.
    private static let maximumSteps = 10_000

    /// The counts by entity, with those of the objects themselves.
    func counts(for entity: Schema.Entity, _ count: Int) throws -> [String: Int] {
        var counts = [entity.name: count]
        var queue = [Waiting(entity: entity, count: count, path: [])]
        var steps = 0
        while let next = queue.popLast(), steps < Self.maximumSteps {
            steps += 1
            for relationship in next.entity.relationships where relationship.isRequired {
                let destination = schema.entities[relationship.destination]
                let inverse = schema.inverseRelationship(of: relationship)
                guard !next.path.contains(where: { $0.isSame(as: relationship) || $0.isSame(as: inverse) }),
                    // The generator links objects of one kind to each other.
                    !schema.entity(next.entity.index, isKindOf: destination.index),
                    let concrete = destination.family.map({ schema.entities[$0] }).first(where: { !$0.isAbstract })
                else { continue }
                let isExclusive = belongsToOne(relationship, inverse)
                // Objects that are generated anyway are shared.
                if !isExclusive, counts.contains(where: { isKind($0.key, of: destination) }) { continue }
                let number = try missing(relationship, next.count, destination, inverse)
                // One object can be the destination of several relationships.
                guard number > counts[concrete.name] ?? 0 else { continue }
                counts[concrete.name] = number
                queue.append(Waiting(entity: concrete, count: number, path: next.path + [relationship]))
            }
        }
        return counts
    }

    private func isKind(_ name: String, of ancestor: Schema.Entity) -> Bool {
        schema.entity(named: name).map { schema.entity($0.index, isKindOf: ancestor.index) } ?? false
    }

    /// Whether a destination has a to-one inverse, or is in a list without an inverse.
    private func belongsToOne(_ relationship: Schema.Relationship, _ inverse: Schema.Relationship?) -> Bool {
        inverse.map { !$0.isToMany } ?? relationship.isToMany
    }

    private func missing(
        _ relationship: Schema.Relationship, _ count: Int, _ destination: Schema.Entity,
        _ inverse: Schema.Relationship?
    ) throws -> Int {
        let wanted = relationship.isToMany ? max(1, relationship.description.minCount) : 1
        if belongsToOne(relationship, inverse) { return product(count, wanted) }
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
    func isSame(as other: Schema.Relationship?) -> Bool { owner == other?.owner && slot == other?.slot }

    /// Whether each object needs at least one destination.
    var isRequired: Bool {
        isPersistent && !description.isOptional && (!isToMany || description.minCount > 0)
    }
}
