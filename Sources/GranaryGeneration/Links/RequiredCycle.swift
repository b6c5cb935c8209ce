import GranaryModel

/// Finds cycles of relationships that each object needs.
struct RequiredCycle {
    let schema: Schema

    /// The shortest cycle that begins with a relationship, such as `A.b → B.a`; nil if there is none.
    func path(from start: Schema.Relationship) -> String? {
        var seen: Set<Int> = []
        var front: [(entity: Int, path: [String])] = [(start.destination, [name(start)])]
        while !front.isEmpty {
            var next: [(entity: Int, path: [String])] = []
            for (entity, path) in front where seen.insert(entity).inserted {
                if schema.entity(entity, isKindOf: start.owner) { return path.joined(separator: " → ") }
                for relationship in schema.entities[entity].relationships
                where relationship.isPersistent && LinkEnd(relationship).must > 0 {
                    next.append((relationship.destination, path + [name(relationship)]))
                }
            }
            front = next
        }
        return nil
    }

    private func name(_ relationship: Schema.Relationship) -> String {
        "\(schema.entities[relationship.owner].name).\(relationship.name)"
    }
}
