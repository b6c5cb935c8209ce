import GranaryModel

/// Where the links of a relationship of the newer version come from.
struct LinkSource {
    /// The older relationships that this one continues: more than one if subentities had their own.
    let own: [Schema.Relationship]
    /// The older relationships that its inverse continues.
    let inverse: [Schema.Relationship]

    init(of relationship: Schema.Relationship, _ mapping: ModelMapping) {
        own = Self.origins(of: relationship, mapping)
        inverse = Self.newInverse(of: relationship, mapping).map { Self.origins(of: $0, mapping) } ?? []
    }

    /// Whether the reference of a to-one is not in the older rows, but follows from links.
    var isFilledLater: Bool { own.isEmpty ? !inverse.isEmpty : own.contains(where: \.isToMany) }

    static func newInverse(of relationship: Schema.Relationship, _ mapping: ModelMapping) -> Schema.Relationship? {
        relationship.inverse.map { mapping.new.entities[$0.owner].relationships[$0.relationship] }
    }

    private static func origins(of relationship: Schema.Relationship, _ mapping: ModelMapping) -> [Schema.Relationship]
    {
        var found: [Schema.Relationship] = []
        for old in mapping.origins(of: relationship) {
            guard let source = mapping.entities[old]?.relationship(at: relationship.slot),
                !found.contains(where: { LinkLayout.ID($0) == LinkLayout.ID(source) })
            else { continue }
            found.append(source)
        }
        return found
    }
}

extension EntityMapping {
    /// The older relationship that is the source of a slot; nil if there is none.
    func relationship(at slot: Int) -> Schema.Relationship? {
        guard sources.indices.contains(slot), case .relationship(let relationship) = sources[slot] else { return nil }
        return relationship
    }
}
