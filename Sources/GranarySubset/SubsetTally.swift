import GranaryCoordination
import GranaryImport
import GranaryModel

/// Counts what happened to values and links.
struct SubsetTally {
    /// The values of an attribute in one concrete entity.
    struct Values {
        var replaced = 0
        var kept = 0
        var null = 0
        var empty = 0
        /// The number of replaced values in which only digits are new.
        var digitsOnly = 0
        /// Why values were kept, in the order in which the reasons appeared.
        var reasons: [(text: String, count: Int)] = []

        var count: Int { replaced + kept + null + empty }
    }

    /// By the index of the entity and the slot of the attribute.
    private var values: [[Values]]
    private var links: [LinkLayout.ID: (kept: Int, cut: Int)] = [:]

    init(_ schema: Schema) {
        values = schema.entities.map { Array(repeating: Values(), count: $0.slotCount) }
    }

    /// The result for one value: replaced, NULL or kept.
    enum Outcome {
        case replaced(digitsOnly: Bool)
        case null, empty
        case kept(String)
    }

    mutating func note(_ outcome: Outcome, entity: Int, slot: Int) {
        switch outcome {
        case .replaced(let digitsOnly):
            values[entity][slot].replaced += 1
            if digitsOnly { values[entity][slot].digitsOnly += 1 }
        case .null: values[entity][slot].null += 1
        case .empty: values[entity][slot].empty += 1
        case .kept(let reason):
            values[entity][slot].kept += 1
            Self.add(reason, 1, to: &values[entity][slot].reasons)
        }
    }

    private static func add(_ reason: String, _ count: Int, to reasons: inout [(text: String, count: Int)]) {
        // An attribute has few reasons.
        if let place = reasons.firstIndex(where: { $0.text == reason }) {
            reasons[place].count += count
        } else {
            reasons.append((text: reason, count: count))
        }
    }

    /// The reason why values were kept, or all of them with their counts; nil if there is none.
    private static func reason(_ parts: [Values]) -> String? {
        var reasons: [(text: String, count: Int)] = []
        for reason in parts.flatMap(\.reasons) { add(reason.text, reason.count, to: &reasons) }
        guard reasons.count > 1 else { return reasons.first?.text }
        return reasons.map { "\($0.count) \($0.text)" }.joined(separator: "; ")
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
                        replaced: parts.reduce(0) { $0 + $1.replaced },
                        digitsOnly: parts.reduce(0) { $0 + $1.digitsOnly }, kept: parts.reduce(0) { $0 + $1.kept },
                        null: parts.reduce(0) { $0 + $1.null }, empty: parts.reduce(0) { $0 + $1.empty },
                        reason: Self.reason(parts)))
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
