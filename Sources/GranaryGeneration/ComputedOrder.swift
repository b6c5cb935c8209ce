import GranaryBase
import GranaryModel

/// Orders the computed attributes of an entity so that each comes after those from which it is computed.
struct ComputedOrder {
    struct Member {
        let attribute: Schema.Attribute
        let value: ComputedValue
        let leaders: [Schema.Attribute]
    }

    private(set) var members: [Member] = []
    private(set) var problems: [Diagnostic] = []

    init(_ entity: Schema.Entity, _ settings: AttributeSettings) {
        var open: [Member] = []
        for attribute in entity.attributes where attribute.isGenerated {
            guard case .computed(let value)? = settings.setting(attribute, entity).specification else { continue }
            switch value.leaders(of: attribute, entity) {
            case .success(let leaders): open.append(Member(attribute: attribute, value: value, leaders: leaders))
            case .failure(let problem):
                problems.append(
                    Diagnostic(.modelRule, problem.message, entity: entity.name, property: attribute.name))
            }
        }
        while !open.isEmpty {
            let waiting = Set(open.map(\.attribute.slot))
            let ready = open.filter { member in !member.leaders.contains { waiting.contains($0.slot) } }
            guard !ready.isEmpty else {
                problems.append(Self.cycle(open, entity))
                return
            }
            members += ready
            let done = Set(ready.map(\.attribute.slot))
            open.removeAll { done.contains($0.attribute.slot) }
        }
    }

    /// - Parameter open: attributes of which each needs another one of them.
    private static func cycle(_ open: [Member], _ entity: Schema.Entity) -> Diagnostic {
        var path: [Member] = []
        var next = open.first
        while let member = next, !path.contains(where: { $0.attribute === member.attribute }) {
            path.append(member)
            next = open.first { other in member.leaders.contains { $0 === other.attribute } }
        }
        // What leads into the cycle is not part of it.
        let cycle = path.drop { $0.attribute !== next?.attribute }
        let names = (cycle + cycle.prefix(1)).map(\.attribute.name).joined(separator: " → ")
        return Diagnostic(
            .modelRule, "the attributes are computed from each other: \(names)", entity: entity.name,
            property: cycle.first?.attribute.name ?? "")
    }
}
