import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryModelFiles
import GranaryPredicates

/// Finds what options of a migration name in one version. Each function throws ``GranaryError`` with code `usage`.
struct OptionNames {
    let schema: Schema

    // MARK: --fill

    func attribute(_ name: String) throws(GranaryError) -> (entity: Schema.Entity, attribute: Schema.Attribute) {
        guard let dot = name.firstIndex(of: ".") else {
            throw GranaryError(.usage, "--fill \(Diagnostic.shortened(name)): write ENTITY.ATTRIBUTE")
        }
        let entity = try entity(String(name[..<dot]), "--fill")
        let property = String(name[name.index(after: dot)...])
        guard let attribute = entity.attribute(named: property) else {
            throw GranaryError(.usage, "--fill: " + unknown(property, in: entity))
        }
        guard attribute.isPersistent else {
            throw GranaryError(.usage, "--fill: \(name) is transient; only stored attributes can be filled")
        }
        guard attribute.description.derivationExpression == nil else {
            throw GranaryError(.usage, "--fill: \(name) is derived; only attributes with given values can be filled")
        }
        return (entity, attribute)
    }

    private func unknown(_ property: String, in entity: Schema.Entity) -> String {
        let shown = Diagnostic.shortened(property)
        if entity.relationship(named: property) != nil {
            return "\(entity.name).\(shown) is a relationship; only attributes can be filled (--on-invalid keep keeps "
                + "objects without a required one)"
        }
        let leaves = entity.attributes.map(\.name).filter { $0.hasPrefix(property + ".") }
        if !leaves.isEmpty {
            return "\(entity.name).\(shown) is a composite; name one of its elements: "
                + leaves.map { "\(entity.name).\($0)" }.joined(separator: ", ")
        }
        let hint = NearestText.hint(for: property, in: entity.attributes.map(\.name))
        return "\(entity.name) has no stored attribute \"\(shown)\"\(hint)"
    }

    func value(_ text: String, _ name: String, _ attribute: Schema.Attribute) throws(GranaryError) -> AttributeValue {
        if attribute.type == .transformable {
            throw GranaryError(
                .usage, "--fill \(name): a Transformable has no text; use --on-invalid keep, or StoreMigration in Swift"
            )
        }
        guard let value = AttributeValue(optionText: text, attribute.type) else {
            let form =
                switch attribute.type {
                case .binary: "base64, as a Binary is written"
                case .date: "a Date (ISO 8601, such as 2026-01-31T12:00:00Z)"
                case .boolean: "a Boolean (YES or NO)"
                default: attribute.type.phrase
                }
            throw GranaryError(.usage, "--fill \(name): \"\(Diagnostic.shortened(text))\" is not \(form)")
        }
        try check(value, name, attribute)
        return value
    }

    func check(_ value: AttributeValue, _ name: String, _ attribute: Schema.Attribute) throws(GranaryError) {
        guard let violation = value.withBorrowed({ attribute.validator.violations(of: $0) }).first else { return }
        throw GranaryError(.usage, "--fill \(name): \(violation.message)")
    }

    // MARK: --dedupe

    /// The entity of a name, if its objects have unique values.
    func entityWithConstraint(_ name: String) throws(GranaryError) -> Schema.Entity {
        let entity = try entity(name, "--dedupe")
        let owners = schema.entities.filter { other in
            other.uniquenessConstraints.contains { $0.owner == other.index }
        }
        let isConcerned = owners.contains {
            schema.entity(entity.index, isKindOf: $0.index) || schema.entity($0.index, isKindOf: entity.index)
        }
        guard !isConcerned else { return entity }
        let names = owners.prefix(20).map(\.name).joined(separator: ", ")
        throw GranaryError(
            .usage,
            "--dedupe: \(entity.name) has no uniqueness constraint in the newer version; "
                + (owners.isEmpty ? "no entity has one" : "entities with one: \(names)")
                + (owners.count > 20 ? ", …" : ""))
    }

    func choice(
        _ rule: StoreMigrationOptions.DuplicateRule, _ entity: Schema.Entity
    ) throws(GranaryError) -> MigrationRules.DuplicateChoice {
        switch rule {
        case .first: return .first
        case .last: return .last
        case .largest(let property):
            guard let attribute = entity.attribute(named: property), attribute.isPersistent else {
                let hint = NearestText.hint(for: property, in: entity.attributes.map(\.name))
                throw GranaryError(
                    .usage,
                    "--dedupe: \(entity.name) has no stored attribute \"\(Diagnostic.shortened(property))\"\(hint)")
            }
            return .largest(attribute)
        }
    }

    private func entity(_ name: String, _ option: String) throws(GranaryError) -> Schema.Entity {
        if let entity = schema.entity(named: name) { return entity }
        let hint = NearestText.hint(for: name, in: schema.entities.map(\.name))
        throw GranaryError(
            .usage, "\(option): the newer version has no entity \"\(Diagnostic.shortened(name))\"\(hint)")
    }
}

extension AttributeValue {
    /// The value of a text on the command line; nil if the text is not of the type, or the type has no text.
    init?(optionText text: String, _ type: AttributeType) {
        switch type {
        case .date:
            guard let date = Self.date(text) else { return nil }
            self = .date(date)
        case .binary:
            guard let data = Data(base64Encoded: text) else { return nil }
            self = .binary(data)
        default:
            guard let value = AttributeValue(modelText: text, type) else { return nil }
            self = value
        }
    }
}
