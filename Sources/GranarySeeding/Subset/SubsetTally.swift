import GranaryCoordination
import GranaryModel

/// Counts what happened to values and links.
struct SubsetTally {
    /// The values of an attribute in one concrete entity.
    struct Values {
        var replaced = 0
        var kept = 0
        var null = 0
        var empty = 0
        /// Why values were kept; nil if none was.
        var reason: String?

        var count: Int { replaced + kept + null + empty }
    }

    /// By the index of the entity and the slot of the attribute.
    private var values: [[Values]]
    private var links: [LinkLayout.ID: (kept: Int, cut: Int)] = [:]

    init(_ schema: Schema) {
        values = schema.entities.map { Array(repeating: Values(), count: $0.slotCount) }
    }

    /// What happened to one value.
    enum Outcome {
        case replaced, null, empty
        case kept(String)
    }

    mutating func note(_ outcome: Outcome, entity: Int, slot: Int) {
        switch outcome {
        case .replaced: values[entity][slot].replaced += 1
        case .null: values[entity][slot].null += 1
        case .empty: values[entity][slot].empty += 1
        case .kept(let reason):
            values[entity][slot].kept += 1
            if values[entity][slot].reason == nil { values[entity][slot].reason = reason }
        }
    }

    mutating func note(_ relationship: Schema.Relationship, kept: Int = 0, cut: Int = 0) {
        let counts = links[LinkLayout.ID(relationship)] ?? (kept: 0, cut: 0)
        links[LinkLayout.ID(relationship)] = (kept: counts.kept + kept, cut: counts.cut + cut)
    }

    /// The attributes by the entities that declare them.
    func attributes(_ schema: Schema) -> [SubsetReport.Attribute] {
        var result: [SubsetReport.Attribute] = []
        for entity in schema.entities {
            for attribute in entity.attributes where attribute.owner == entity.index && attribute.isPersistent {
                let parts = entity.family.map { values[$0][attribute.slot] }.filter { $0.count > 0 }
                guard !parts.isEmpty else { continue }
                result.append(
                    SubsetReport.Attribute(
                        entity: entity.name, name: attribute.name, type: attribute.type.name,
                        replaced: parts.reduce(0) { $0 + $1.replaced }, kept: parts.reduce(0) { $0 + $1.kept },
                        null: parts.reduce(0) { $0 + $1.null }, empty: parts.reduce(0) { $0 + $1.empty },
                        reason: parts.compactMap(\.reason).first))
            }
        }
        return result
    }

    /// The relationships by the entities that declare them.
    func relationships(_ schema: Schema) -> [SubsetReport.Relationship] {
        var result: [SubsetReport.Relationship] = []
        for entity in schema.entities {
            for relationship in entity.relationships where relationship.owner == entity.index {
                guard let counts = links[LinkLayout.ID(relationship)] else { continue }
                result.append(
                    SubsetReport.Relationship(
                        entity: entity.name, name: relationship.name, kept: counts.kept, cut: counts.cut))
            }
        }
        return result
    }
}
