import GranaryBase
import GranaryCoordination
import GranaryModel

/// Collects how many objects are linked by each relationship of a store.
struct LinkFit {
    /// A relationship with what is known of its links.
    private struct Tally {
        let relationship: Schema.Relationship
        let name: String
        var counts: FittedSample
        var objects = 0
        var nulls = 0
    }

    private var tallies: [LinkLayout.ID: Tally] = [:]

    init(_ schema: Schema, _ options: GenerationOptions) {
        let settings = RelationshipSettings(schema: schema, options: options)
        for entity in schema.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent {
                let inverse = schema.inverseRelationship(of: relationship)
                // The counts of the other end tell how many references are NULL.
                if !relationship.isToMany, inverse?.isToMany ?? false { continue }
                // All objects of such a relationship have one number of links.
                if relationship.isToMany, inverse === relationship { continue }
                if let inverse, Self.isUnique(inverse, schema) { continue }
                let name = settings.name(relationship)
                tallies[LinkLayout.ID(relationship)] = Tally(
                    relationship: relationship, name: name, counts: FittedSample([name]))
            }
        }
    }

    /// Whether a uniqueness constraint can choose the destination.
    private static func isUnique(_ relationship: Schema.Relationship, _ schema: Schema) -> Bool {
        schema.entities[relationship.owner].family.contains { index in
            let entity = schema.entities[index]
            return entity.uniquenessConstraints.flatMap(\.properties).contains { property in
                guard case .relationship(let place) = property else { return false }
                return entity.relationships[place].slot == relationship.slot
            }
        }
    }

    mutating func add(_ batch: borrowing RowBatch, _ entity: Schema.Entity, _ store: any StoreBackend) throws {
        for relationship in entity.relationships {
            guard var tally = tallies.removeValue(forKey: LinkLayout.ID(relationship)) else { continue }
            let keys = batch.rows.map(\.key)
            tally.objects += keys.count
            if relationship.isToMany {
                var counts: [Int64: Int64] = [:]
                try store.readLinks(of: relationship, owners: keys) { counts[$0.owner, default: 0] += 1 }
                for key in keys { tally.counts.add(counts[key] ?? 0) }
            } else {
                for row in batch.rows.indices where batch[row, relationship.slot] == .null { tally.nulls += 1 }
            }
            tallies[LinkLayout.ID(relationship)] = tally
        }
    }

    /// Adds the rules to a request.
    func finish(_ request: inout GenerationRequest) {
        for tally in tallies.values where tally.objects >= FittedRanges.group {
            if tally.relationship.isToMany {
                guard request.options.linkCounts[tally.name] == nil,
                    let ranges = FittedRanges(tally.counts.values, .decimal)
                else { continue }
                request.options.linkCounts[tally.name] = ranges.text { "\($0)" }
            } else if tally.relationship.description.isOptional, request.options.nullPercents[tally.name] == nil {
                request.options.nullPercents[tally.name] = (tally.nulls * 200 + tally.objects) / (2 * tally.objects)
            }
        }
    }
}
