import GranaryCoordination
import GranaryModel

/// Links of new objects, in groups that are inserted together.
struct NewLinks {
    /// The links of one relationship, with owners of one entity.
    struct Group {
        let relationship: Schema.Relationship
        let ownerEntity: Int
        var links: [Link]
    }

    private(set) var groups: [Group] = []

    mutating func add(_ links: some Collection<Link>, of relationship: Schema.Relationship, ownerEntity: Int) {
        let index = groups.firstIndex { $0.relationship === relationship && $0.ownerEntity == ownerEntity }
        if let index {
            groups[index].links += links
        } else {
            groups.append(Group(relationship: relationship, ownerEntity: ownerEntity, links: Array(links)))
        }
    }

    /// Removes the groups with at least `count` links, and returns them.
    mutating func take(atLeast count: Int) -> [Group] {
        let taken = groups.filter { $0.links.count >= count }
        groups.removeAll { $0.links.count >= count }
        return taken
    }
}
