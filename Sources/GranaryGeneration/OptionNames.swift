import GranaryBase
import GranaryModel

/// Checks that the model has the properties that options name.
struct OptionNames {
    let schema: Schema
    let options: GenerationOptions

    /// - Throws: ``GranaryError`` with code `usage`.
    func check() throws(GranaryError) {
        for key in options.generators.keys.sorted() { try checkAttribute(key, "the generator of") }
        for key in options.customGenerators.keys.sorted() {
            try checkAttribute(key, "the generator of")
            guard options.generators[key] == nil else {
                throw GranaryError(
                    .usage, "\(Diagnostic.shortened(key)) has two generators, one in code and one as text")
            }
        }
        for key in options.distributions.keys.sorted() { try checkAttribute(key, "the distribution of") }
        for (key, percent) in options.nullPercents.sorted(by: { $0.key < $1.key }) {
            let place = "the percentage of NULL of"
            guard (0...100).contains(percent) else {
                throw GranaryError(.usage, "\(place) \(Diagnostic.shortened(key)) must be from 0 to 100")
            }
            let (entity, name) = try split(key, place)
            if let relationship = entity.relationship(named: name) {
                try check(relationship, entity, key, place, isToMany: false)
            } else {
                try checkAttribute(key, place)
            }
        }
        for key in options.linkCounts.keys.sorted() {
            let place = "the count of"
            let (entity, name) = try split(key, place)
            guard let relationship = entity.relationship(named: name) else {
                let known = entity.relationships.filter(\.isToMany).map(\.name)
                throw GranaryError(
                    .usage,
                    "\(place) \(Diagnostic.shortened(key)): \(entity.name) has no such relationship"
                        + NearestText.hint(for: name, in: known))
            }
            try check(relationship, entity, key, place, isToMany: true)
        }
    }

    private func split(_ key: String, _ place: String) throws(GranaryError) -> (Schema.Entity, String) {
        let point = key.firstIndex(of: ".") ?? key.endIndex
        let name = String(key[..<point])
        guard let entity = schema.entity(named: name) else {
            throw GranaryError(
                .usage,
                "\(place) \(Diagnostic.shortened(key)): the model has no entity \"\(Diagnostic.shortened(name))\""
                    + NearestText.hint(for: name, in: schema.entities.map(\.name)))
        }
        return (entity, point < key.endIndex ? String(key[key.index(after: point)...]) : "")
    }

    private func checkAttribute(_ key: String, _ place: String) throws(GranaryError) {
        let (entity, name) = try split(key, place)
        guard entity.attribute(named: name)?.isGenerated ?? false else {
            throw GranaryError(
                .usage,
                "\(place) \(Diagnostic.shortened(key)): \(entity.name) has no such stored attribute"
                    + NearestText.hint(for: name, in: entity.attributes.map(\.name)))
        }
    }

    /// The links of all objects of a hierarchy are planned together, so the entity that declares the relationship is
    /// named.
    private func check(
        _ relationship: Schema.Relationship, _ entity: Schema.Entity, _ key: String, _ place: String, isToMany: Bool
    ) throws(GranaryError) {
        guard relationship.isToMany == isToMany, relationship.isPersistent else {
            throw GranaryError(
                .usage,
                "\(place) \(Diagnostic.shortened(key)): \(relationship.name) is no stored "
                    + (isToMany ? "to-many relationship" : "to-one relationship or attribute"))
        }
        guard relationship.owner == entity.index else {
            let owner = schema.entities[relationship.owner].name
            throw GranaryError(
                .usage,
                "\(place) \(Diagnostic.shortened(key)): \(owner) declares the relationship; write "
                    + "\(owner).\(relationship.name)")
        }
    }
}
