import GranaryBase
import GranaryCoordination
import GranaryGeneration
import GranaryModel

/// What happens to the values of each attribute, checked against the model.
struct Anonymisation: Sendable {
    enum Decision: Sendable {
        /// With the index of the group.
        case replace(Int)
        case keep(String)
        case null
        case constant(String)
        case hash
        case mask(first: Int, last: Int)
        /// With the index of the group.
        case generate(GeneratorSpecification, Int)
        case noise(NoiseBounds)
        case shift(DateShift)
        case template(ReplacementTemplate)

        /// Whether the new value is computed from other new values, so that it comes last.
        var isTemplate: Bool { if case .template = self { true } else { false } }
    }

    /// Attributes whose equal values get equal replacements, so that a text that names another object still names it.
    /// They have the same name and the same kind of type. Text attributes also have the same kind of words.
    struct Group: Sendable {
        let name: String
        /// The kind of the texts, by the names of attribute and entity.
        let kind: TextKind
        /// Whether a uniqueness constraint contains one of the attributes, so that different values must stay
        /// different.
        var isUnique: Bool
        /// Whether a text that is a UUID gets the replacement of that UUID.
        var comparesUUIDs = false
    }

    /// Whether a value that was to be replaced must not be kept.
    var failsClosed: Bool { options.rules != nil }
    /// By the index of the entity and the slot; nil for slots without a stored attribute.
    private(set) var decisions: [[Decision?]]
    private(set) var groups: [Group] = []
    /// The stored attributes in the order in which their values are replaced, by the index of the entity.
    private(set) var order: [[Schema.Attribute]] = []
    private let schema: Schema
    private let options: SubsetOptions

    /// - Throws: ``GranaryError`` with code `usage`.
    init(schema: Schema, options: SubsetOptions) throws(GranaryError) {
        self.schema = schema
        self.options = options
        decisions = schema.entities.map { Array(repeating: nil, count: $0.slotCount) }
        if let rules = options.rules { try Self.check(rules, schema, hasKey: options.hashKey != nil) }
        let named = try Self.named(options.anonymisedAttributes, schema)
        let unique = Self.uniqueSlots(schema)
        let settings = AttributeSettings(schema: schema, options: GenerationOptions())
        let references = try ReferenceGroups(options.references, schema)
        var indexes: [String: Int] = [:]
        for entity in schema.entities {
            for attribute in entity.attributes where attribute.isPersistent {
                if let decided = Self.decision(options.rules, attribute, entity, schema) {
                    decisions[entity.index][attribute.slot] = decided
                    continue
                }
                let isNamed = options.rules != nil || named[entity.index].contains(attribute.slot)
                if !isNamed, let reason = Self.reason(attribute, entity, settings, options) {
                    decisions[entity.index][attribute.slot] = .keep(reason)
                    continue
                }
                let owner = schema.entities[attribute.owner].name
                let kind = PropertyNames(attribute: attribute.name, entity: owner).textKind
                let rule = options.rules?.decision(on: attribute, of: entity, schema)
                let reference = references.group(of: attribute)
                let name: String
                switch rule {
                // Stores whose rules name the same group have the same replacements, if the random seed is the same.
                case .replaceIn(let group)?: name = "in \(Self.typeName(attribute, kind: nil)) \(group)"
                case .generate(_, let text)?: name = "generate \(text) \(Self.groupName(attribute, kind))"
                default: name = reference?.name ?? Self.groupName(attribute, kind)
                }
                let index = indexes[name] ?? groups.count
                if index == groups.count {
                    groups.append(
                        Group(
                            name: name, kind: kind, isUnique: false, comparesUUIDs: reference?.comparesUUIDs ?? false))
                    indexes[name] = index
                }
                if unique[entity.index].contains(attribute.slot) { groups[index].isUnique = true }
                if case .generate(let specification, _)? = rule {
                    decisions[entity.index][attribute.slot] = .generate(specification, index)
                } else {
                    decisions[entity.index][attribute.slot] = .replace(index)
                }
            }
        }
        let decided = decisions
        order = schema.entities.map { entity in
            let stored = entity.attributes.filter(\.isPersistent)
            return [false, true].flatMap { isLast in
                stored.filter { (decided[entity.index][$0.slot]?.isTemplate ?? false) == isLast }
            }
        }
        try checkConstraints()
    }

    /// The values of a run.
    func started() -> AnonymisedValues {
        let seed = options.randomSeed ?? options.hashKey?.seed ?? UInt64.random(in: .min ... .max)
        return AnonymisedValues(self, schema: schema, seed: seed, key: options.hashKey)
    }

    // MARK: Rules

    /// Fails if an attribute has no decision, so that a new one cannot leave by mistake.
    private static func check(
        _ rules: AnonymisationRules, _ schema: Schema, hasKey: Bool
    ) throws(GranaryError) {
        let check = AnonymisationCheck(rules, schema)
        let missing = check.undecided.map { undecided in
            let path = undecided.attribute.split(separator: ".", maxSplits: 1).map(String.init)
            return Diagnostic(
                .modelUnknown,
                "\(rules.file) has no decision; proposed: \(undecided.proposal), because \(undecided.reason)",
                entity: path[0], property: path.last)
        }
        guard missing.isEmpty, check.problems.isEmpty else {
            throw GranaryError(
                .refused, "\(rules.file) does not decide on every attribute; nothing was written",
                diagnostics: check.problems + missing)
        }
        let needsKey = schema.entities.contains { entity in
            entity.attributes.contains { rules.decision(on: $0, of: entity, schema) == .hash }
        }
        guard hasKey || !needsKey else {
            throw GranaryError(
                .usage, "\(rules.file) has the decision hash, which needs a key", help: "--key-file FILE")
        }
    }

    /// The decision of the rules; nil without rules, and for values that are replaced by others of their shape.
    private static func decision(
        _ rules: AnonymisationRules?, _ attribute: Schema.Attribute, _ entity: Schema.Entity, _ schema: Schema
    ) -> Decision? {
        guard let rules else { return nil }
        guard AnonymisationCheck.needsDecision(attribute) else {
            return .keep("derived, computed from the other values")
        }
        switch rules.decision(on: attribute, of: entity, schema) {
        case .keep?, nil: return .keep("by decision")
        case .null?: return .null
        case .constant(let text)?: return .constant(text)
        case .hash?: return .hash
        case .mask(let first, let last)?: return .mask(first: first, last: last)
        case .noise(let bounds)?: return .noise(bounds)
        case .shift(let shift)?: return .shift(shift)
        case .template(let template)?: return .template(template)
        case .replace?, .replaceIn?, .generate?: return nil
        }
    }

    // MARK: Names

    /// The named slots, by the index of the entity.
    private static func named(_ names: [String], _ schema: Schema) throws(GranaryError) -> [Set<Int>] {
        var slots: [Set<Int>] = Array(repeating: [], count: schema.entities.count)
        for name in names {
            let path = try PropertyPath(name, schema)
            let found = path.entity.attributes.filter {
                $0.isPersistent && ($0.name == path.property || $0.name.hasPrefix(path.property + "."))
            }
            guard !found.isEmpty else {
                throw GranaryError(
                    .usage,
                    "\(Diagnostic.shortened(name)): \(path.entity.name) has no such stored attribute"
                        + NearestText.hint(for: path.property, in: path.entity.attributes.map(\.name)))
            }
            for attribute in found {
                if let reason = refusal(attribute) {
                    let message = "\(path.entity.name).\(attribute.name): \(reason)"
                    guard found.count > 1 else { throw GranaryError(.usage, message) }
                    throw GranaryError(.usage, message, help: "name the elements of \(name) that can be replaced")
                }
                for entity in path.entity.family { slots[entity].insert(attribute.slot) }
            }
        }
        return slots
    }

    /// Why values of the attribute cannot be replaced; nil if they can.
    static func refusal(_ attribute: Schema.Attribute) -> String? {
        if attribute.description.derivationExpression != nil {
            return "the attribute is derived; its values are computed from the others"
        }
        switch attribute.type {
        case .boolean: return "a Boolean has only two values, so replacing equal values by equal ones hides nothing"
        case .transformable, .undefined, .objectID, .composite:
            return "values of the type \(attribute.type.name) cannot be replaced"
        default: return nil
        }
    }

    /// Why the values of an attribute that is not named are kept; nil if they are replaced.
    private static func reason(
        _ attribute: Schema.Attribute, _ entity: Schema.Entity, _ settings: AttributeSettings, _ options: SubsetOptions
    ) -> String? {
        if attribute.description.derivationExpression != nil { return "derived, computed from the other values" }
        guard options.anonymisesAllText, attribute.type == .string || attribute.type == .uri else {
            return options.anonymisesAllText ? "not text, not named" : "not named"
        }
        if RuleHints(attribute.description).list != nil { return "enumerated by a validation predicate" }
        if case .list? = settings.setting(attribute, entity).specification { return "enumerated by its generator" }
        return nil
    }

    private static func groupName(_ attribute: Schema.Attribute, _ textKind: TextKind) -> String {
        let name = attribute.name.split(separator: ".").last.map(String.init) ?? attribute.name
        return typeName(attribute, kind: textKind) + " " + name.lowercased()
    }

    /// The kind of type, for texts with the kind of words.
    private static func typeName(_ attribute: Schema.Attribute, kind: TextKind?) -> String {
        switch attribute.type {
        case .string, .uri: kind?.rawValue ?? "text"
        case .integer16, .integer32, .integer64: "integer"
        case .decimal, .double, .float: "number"
        default: attribute.type.name.lowercased()
        }
    }

    // MARK: Uniqueness

    /// The slots of the attributes of uniqueness constraints, by the index of the entity.
    private static func uniqueSlots(_ schema: Schema) -> [Set<Int>] {
        schema.entities.map(uniqueSlots(of:))
    }

    static func uniqueSlots(of entity: Schema.Entity) -> Set<Int> {
        var slots: Set<Int> = []
        for constraint in entity.uniquenessConstraints {
            for case .attribute(let index) in constraint.properties {
                let attribute = entity.attributes[index]
                slots.insert(attribute.slot)
                if let source = derivationSource(of: attribute, entity) { slots.insert(source.slot) }
            }
        }
        return slots
    }

    /// The attribute of the same object from which an attribute is derived, such as `name` for `canonical:(name)`. Its
    /// values must stay different if the derived ones are unique.
    private static func derivationSource(of attribute: Schema.Attribute, _ entity: Schema.Entity) -> Schema.Attribute? {
        attribute.description.derivationExpression?.split { "() ".contains($0) }.last.flatMap {
            entity.attribute(named: String($0))
        }
    }

    /// Refuses to replace the values of a uniqueness constraint in a part of its entities: a replacement could equal a
    /// value that is kept.
    private func checkConstraints() throws(GranaryError) {
        for entity in schema.entities {
            for constraint in entity.uniquenessConstraints where constraint.owner == entity.index {
                for case .attribute(let index) in constraint.properties {
                    let attribute = entity.attributes[index]
                    let replaced = entity.family.filter { other in
                        switch decisions[other][attribute.slot] {
                        case .replace?, .hash?, .generate?, .template?: true
                        default: false
                        }
                    }
                    guard let first = replaced.first, replaced.count < entity.family.count else { continue }
                    throw GranaryError(
                        .usage,
                        "\(schema.entities[first].name).\(attribute.name) is unique among all objects of \(entity.name); "
                            + "replace it in all of them", help: "--anonymise \(entity.name).\(attribute.name)")
                }
            }
        }
    }
}
