package import GranaryBase
package import GranaryCoordination
import GranaryModel
import GranaryRecords

/// Finds out what the values of a store are, in one pass over its rows, with a bounded memory.
package struct StoreProfiler {
    /// The names of the entities; empty for all.
    package var entities: [String] = []
    /// The number of frequent values of each property.
    package var frequent = 5
    /// How many different values of all attributes of an entity together are counted exactly. One takes about 100 bytes.
    package var exactValues = 1_000_000
    package var cancellation: Cancellation?

    private static let batchSize = 1000

    package init() {}

    /// How many different values of one property are counted exactly, if the entity has a number of properties.
    private func limit(_ properties: Int) -> Int { max(1_000, min(100_000, exactValues / max(1, properties))) }

    /// - Throws: ``GranaryError``: `usage` for an entity that the model does not have; as reading throws.
    package func profile(_ store: any StoreBackend) throws -> StoreProfile {
        var chosen: [Int] = []
        for name in entities {
            guard let entity = store.schema.entity(named: name) else { throw store.schema.unknownEntity(name) }
            // The objects of an abstract entity are those of its subentities.
            chosen += entity.isAbstract ? Array(entity.family) : [entity.index]
        }
        return try store.reading {
            var profile = StoreProfile()
            for entity in store.schema.entities
            where !entity.isAbstract && (entities.isEmpty || chosen.contains(entity.index)) {
                profile.entities.append(try self.profile(entity, of: store))
            }
            return profile
        }
    }

    private func profile(_ entity: Schema.Entity, of store: any StoreBackend) throws -> StoreProfile.Entity {
        let relationships = entity.relationships.filter(\.isPersistent)
        let attributes = entity.attributes.filter(\.isPersistent)
        let limit = limit(attributes.count + relationships.count)
        var values = attributes.map { AttributeTally($0, limit: limit) }
        var links = relationships.map { RelationshipTally($0, limit: limit) }
        var count = 0
        try store.read(entities: entity.index..<entity.index + 1, batchSize: Self.batchSize) { batch in
            try cancellation?.check()
            count += batch.rows.count
            for row in batch.rows.indices {
                for index in values.indices { values[index].add(row, batch) }
                for index in links.indices where !links[index].relationship.isToMany {
                    links[index].add(row, batch, store.schema)
                }
            }
            for index in links.indices where links[index].relationship.isToMany {
                let owners = batch.rows.map(\.key)
                var counts: [Int64: Int] = [:]
                try store.readLinks(of: links[index].relationship, owners: owners) { counts[$0.owner, default: 0] += 1 }
                for owner in owners { links[index].add(count: counts[owner] ?? 0) }
            }
            return true
        }
        return StoreProfile.Entity(
            name: entity.name, count: count,
            properties: values.map { $0.profile(frequent: frequent) }
                + links.map { $0.profile(store.schema, frequent: frequent) })
    }
}
