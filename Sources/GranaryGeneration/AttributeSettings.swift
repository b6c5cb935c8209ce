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
            if let custom = wish(\.customGenerators, attribute, entity) {
                setting.specification = .computed(.custom(custom))
            } else if let text = text(attribute, entity) ?? info[GeneratorSpecification.key] {
                setting.specification = try GeneratorSpecification(text)
            }
        }
        read { () throws(GeneratorSpecification.Problem) in
            guard
                let text = wish(\.nullPercents, attribute, entity).map({ "\($0)" })
                    ?? info[GeneratorSpecification.nullKey]
            else { return }
            let percent = try GeneratorSpecification.percent(text)
            guard percent == 0 || attribute.description.isOptional else {
                throw GeneratorSpecification.Problem(
                    message: "\(GeneratorSpecification.nullKey) is \(percent)%, but a value is required")
            }
            setting.nullPercent = percent
        }
        read { () throws(GeneratorSpecification.Problem) in
            guard let text = wish(\.distributions, attribute, entity) ?? info[GeneratorSpecification.distributionKey]
            else {
                return
            }
            setting.distribution = try ValueDistribution(text: text)
        }
        return setting
    }

    /// Whether code makes the values of an attribute.
    func isCustom(_ attribute: Schema.Attribute, _ entity: Schema.Entity) -> Bool {
        wish(\.customGenerators, attribute, entity) != nil
    }

    /// The generator in the options, of the entity or its nearest superentity that has one.
    func text(_ attribute: Schema.Attribute, _ entity: Schema.Entity) -> String? {
        wish(\.generators, attribute, entity)
    }

    /// What the options have for an attribute of an entity or of its nearest superentity.
    private func wish<Value>(
        _ wishes: KeyPath<GenerationOptions, [String: Value]>, _ attribute: Schema.Attribute, _ entity: Schema.Entity
    ) -> Value? {
        guard !options[keyPath: wishes].isEmpty else { return nil }
        var next: Schema.Entity? = entity
        while let current = next {
            if let found = options[keyPath: wishes]["\(current.name).\(attribute.name)"] { return found }
            next = current.superentity.map { schema.entities[$0] }
        }
        return nil
    }
}
