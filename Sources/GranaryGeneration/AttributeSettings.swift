import GranaryBase
package import GranaryModel

/// The user's wishes for attributes: those of the options, or else those of the model's user info.
package struct AttributeSettings: Sendable {
    let schema: Schema
    let options: GenerationOptions

    package init(schema: Schema, options: GenerationOptions) {
        self.schema = schema
        self.options = options
    }

    package struct Setting: Sendable {
        package var specification: GeneratorSpecification?
        var nullPercent: Int?
        var distribution = ValueDistribution.uniform
        var problems: [Diagnostic] = []
    }

    /// Checks that the model has the attributes in the options.
    ///
    /// - Throws: ``GranaryError`` with code `usage`.
    func check() throws(GranaryError) {
        for key in options.generators.keys.sorted() {
            let point = key.firstIndex(of: ".") ?? key.endIndex
            let name = String(key[..<point])
            guard let entity = schema.entity(named: name) else {
                throw GranaryError(
                    .usage,
                    "the generator of \(Diagnostic.shortened(key)): the model has no entity "
                        + "\"\(Diagnostic.shortened(name))\""
                        + NearestText.hint(for: name, in: schema.entities.map(\.name)))
            }
            let attribute = point < key.endIndex ? String(key[key.index(after: point)...]) : ""
            guard entity.attribute(named: attribute)?.isGenerated ?? false else {
                throw GranaryError(
                    .usage,
                    "the generator of \(Diagnostic.shortened(key)): \(name) has no such stored attribute"
                        + NearestText.hint(for: attribute, in: entity.attributes.map(\.name)))
            }
        }
    }

    /// The wishes for an attribute of an entity.
    package func setting(_ attribute: Schema.Attribute, _ entity: Schema.Entity) -> Setting {
        var setting = Setting()
        guard attribute.isGenerated else { return setting }
        let info = attribute.description.userInfo.mapValues(\.description)
        func read(_ body: () throws(GeneratorSpecification.Problem) -> Void) {
            do { try body() } catch {
                setting.problems.append(
                    Diagnostic(.modelRule, error.message, entity: entity.name, property: attribute.name))
            }
        }
        read { () throws(GeneratorSpecification.Problem) in
            guard let text = text(attribute, entity) ?? info[GeneratorSpecification.key] else { return }
            setting.specification = try GeneratorSpecification(text)
        }
        read { () throws(GeneratorSpecification.Problem) in
            guard let text = info[GeneratorSpecification.nullKey] else { return }
            let percent = try GeneratorSpecification.percent(text)
            guard percent == 0 || attribute.description.isOptional else {
                throw GeneratorSpecification.Problem(
                    message: "\(GeneratorSpecification.nullKey) is \(percent)%, but a value is required")
            }
            setting.nullPercent = percent
        }
        read { () throws(GeneratorSpecification.Problem) in
            guard let text = info[GeneratorSpecification.distributionKey] else { return }
            guard let distribution = ValueDistribution(rawValue: text) else {
                let known = ValueDistribution.allCases.map(\.rawValue)
                throw GeneratorSpecification.Problem(
                    message: "\"\(Diagnostic.shortened(text))\" is not a distribution"
                        + NearestText.hint(for: text, in: known) + "; distributions are "
                        + known.joined(separator: ", "))
            }
            setting.distribution = distribution
        }
        return setting
    }

    /// The generator in the options, of the entity or its nearest superentity that has one.
    func text(_ attribute: Schema.Attribute, _ entity: Schema.Entity) -> String? {
        var next: Schema.Entity? = entity
        while let current = next {
            if let text = options.generators["\(current.name).\(attribute.name)"] { return text }
            next = current.superentity.map { schema.entities[$0] }
        }
        return nil
    }
}
