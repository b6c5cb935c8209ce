import GranaryModel

/// The properties that pair the objects of an entity: attributes, and to-one relationships whose destinations must be
/// pairs. Empty for `$id`.
struct DiffKey {
    /// The properties in one of the schemas.
    struct Side {
        let attributes: [Schema.Attribute]
        let relationships: [Schema.Relationship]

        var isEmpty: Bool { attributes.isEmpty && relationships.isEmpty }
    }

    var attributes: [DiffPlan.Attribute] = []
    var relationships: [DiffPlan.Relationship] = []

    var isEmpty: Bool { attributes.isEmpty && relationships.isEmpty }
    var names: [String] { attributes.map(\.name) + relationships.map(\.name) }
    var inA: Side { Side(attributes: attributes.map(\.a), relationships: relationships.map(\.a)) }
    var inB: Side { Side(attributes: attributes.map(\.b), relationships: relationships.map(\.b)) }
}
