import GranaryBase
import GranaryModel

/// The user's wishes for relationships: those of the options, or else those of the model's user info.
struct RelationshipSettings: Sendable {
    let schema: Schema
    let options: GenerationOptions

    /// The name with that of the entity which declares the relationship: `Patient.visits`.
    func name(_ relationship: Schema.Relationship) -> String {
        "\(schema.entities[relationship.owner].name).\(relationship.name)"
    }

    /// The rule for the numbers of linked objects; nil without one.
    func counts(_ relationship: Schema.Relationship) throws(GeneratorSpecification.Problem) -> LinkCounts? {
        let info = relationship.description.userInfo[LinkCounts.key]?.description
        guard let text = options.linkCounts[name(relationship)] ?? info else { return nil }
        guard relationship.isToMany else {
            throw GeneratorSpecification.Problem(message: "\(LinkCounts.key) is for relationships to many objects")
        }
        return try LinkCounts(text)
    }

    /// The percentage of objects without a reference, of an optional to-one relationship.
    func nullPercent(_ relationship: Schema.Relationship) throws(GeneratorSpecification.Problem) -> Int {
        let info = relationship.description.userInfo[GeneratorSpecification.nullKey]?.description
        guard let text = options.nullPercents[name(relationship)].map({ "\($0)" }) ?? info else {
            return options.nullPercent
        }
        let percent = try GeneratorSpecification.percent(text)
        guard percent == 0 || relationship.description.isOptional, !relationship.isToMany else {
            throw GeneratorSpecification.Problem(
                message: "\(GeneratorSpecification.nullKey) is \(percent)%, but "
                    + (relationship.isToMany ? "the relationship is to many objects" : "an object is required"))
        }
        return percent
    }
}
