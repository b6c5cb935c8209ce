import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryModelFiles
import GranaryPredicates

extension MigrationRules {
    /// Resolves the names of options in the newer version.
    ///
    /// - Parameter isLast: whether each name must be known. Of several versions on the way, one has to know it.
    /// - Throws: ``GranaryError`` with code `usage` for an unknown name and for a value that does not fit.
    init(_ options: StoreMigrationOptions, _ schema: Schema, isLast: Bool) throws(GranaryError) {
        self.init()
        if options.allowsDrop { accepted.formUnion(MigrationProblem.Kind.drops) }
        if options.invalidObjects == .keep { accepted.formUnion(MigrationProblem.Kind.invalid) }
        var values = options.fills
        for (name, text) in options.fillTexts.sorted(by: { utf8Less($0.key, $1.key) }) {
            guard let attribute = try Self.attribute(name, schema, isLast)?.attribute else { continue }
            guard let value = AttributeValue(text: text, attribute.type) else {
                throw GranaryError(
                    .usage, "--fill \(name): \"\(Diagnostic.shortened(text))\" is not \(attribute.type.phrase)")
            }
            values[name] = value
        }
        var found: [(entity: Schema.Entity, attribute: Schema.Attribute, value: AttributeValue)] = []
        for (name, value) in values {
            guard let (entity, attribute) = try Self.attribute(name, schema, isLast) else { continue }
            found.append((entity, attribute, value))
            if let violation = value.withBorrowed({ attribute.validator.violations(of: $0) }).first {
                throw GranaryError(.usage, "--fill \(name): \(violation.message)")
            }
        }
        // Superentities come before their subentities, whose own values count.
        for (entity, attribute, value) in found.sorted(by: { $0.entity.index < $1.entity.index }) {
            for place in entity.family { fills[place, default: [:]][attribute.slot] = value }
        }
        for (name, rule) in options.duplicateRules {
            guard let entity = try Self.entity(name, schema, isLast, "--dedupe") else { continue }
            switch rule {
            case .first: choices[entity.index] = .first
            case .last: choices[entity.index] = .last
            case .largest(let property):
                guard let attribute = entity.attribute(named: property), attribute.isPersistent else {
                    guard isLast else { continue }
                    let hint = NearestText.hint(for: property, in: entity.attributes.map(\.name))
                    throw GranaryError(.usage, "--dedupe: \(name) has no stored attribute \"\(property)\"\(hint)")
                }
                choices[entity.index] = .largest(attribute)
            }
        }
    }

    /// Checks that each name of an option is known to one of the versions on the way, and that its value fits there.
    ///
    /// - Throws: ``GranaryError`` with code `usage`.
    static func check(_ options: StoreMigrationOptions, _ schemas: [Schema]) throws(GranaryError) {
        var single: [StoreMigrationOptions] = []
        func add(_ change: (inout StoreMigrationOptions) -> Void) {
            var one = StoreMigrationOptions()
            change(&one)
            single.append(one)
        }
        for (name, value) in options.fills { add { $0.fills = [name: value] } }
        for (name, text) in options.fillTexts { add { $0.fillTexts = [name: text] } }
        for (name, rule) in options.duplicateRules { add { $0.duplicateRules = [name: rule] } }
        for one in single {
            var failure: GranaryError?
            var isKnown = false
            for schema in schemas.reversed() where !isKnown {
                do throws(GranaryError) {
                    _ = try MigrationRules(one, schema, isLast: true)
                    isKnown = true
                } catch { failure = failure ?? error }
            }
            if let failure, !isKnown { throw failure }
        }
    }

    private static func entity(
        _ name: String, _ schema: Schema, _ isLast: Bool, _ option: String
    ) throws(GranaryError) -> Schema.Entity? {
        if let entity = schema.entity(named: name) { return entity }
        guard isLast else { return nil }
        let hint = NearestText.hint(for: name, in: schema.entities.map(\.name))
        throw GranaryError(
            .usage, "\(option): the newer version has no entity \"\(Diagnostic.shortened(name))\"\(hint)")
    }

    private static func attribute(
        _ name: String, _ schema: Schema, _ isLast: Bool
    ) throws(GranaryError) -> (entity: Schema.Entity, attribute: Schema.Attribute)? {
        guard let dot = name.firstIndex(of: ".") else {
            throw GranaryError(.usage, "--fill \(name): write ENTITY.ATTRIBUTE")
        }
        guard let entity = try entity(String(name[..<dot]), schema, isLast, "--fill") else { return nil }
        let property = String(name[name.index(after: dot)...])
        if let attribute = entity.attribute(named: property), attribute.isPersistent,
            attribute.description.derivationExpression == nil
        {
            return (entity, attribute)
        }
        guard isLast else { return nil }
        let hint = NearestText.hint(for: property, in: entity.attributes.map(\.name))
        throw GranaryError(
            .usage, "--fill: \(entity.name) has no stored attribute \"\(Diagnostic.shortened(property))\"\(hint)")
    }
}

extension AttributeValue {
    /// The value of a text on the command line; nil if the text is not of the type, or the type has no text.
    fileprivate init?(text: String, _ type: AttributeType) {
        if type == .date {
            guard let date = Self.date(text) else { return nil }
            self = .date(date)
        } else {
            guard let value = AttributeValue(modelText: text, type) else { return nil }
            self = value
        }
    }
}
