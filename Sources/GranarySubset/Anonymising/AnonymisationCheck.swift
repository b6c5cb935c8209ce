package import GranaryBase
import GranaryGeneration
package import GranaryModel

/// Whether a file of decisions decides on each attribute of a model.
package struct AnonymisationCheck: Sendable {
    /// An attribute without a decision.
    package struct Undecided: Sendable, Hashable, Encodable {
        /// `Patient.emailid`
        package let attribute: String
        package let type: String
        /// A decision, such as `replace`.
        package internal(set) var proposal: String
        package internal(set) var reason: String
    }

    /// The attributes that are kept and whose values look personal, as notes.
    package internal(set) var doubts: [Diagnostic] = []

    /// In the order of the model.
    package internal(set) var undecided: [Undecided] = []
    /// Decisions on what the model does not have, or that an attribute cannot have.
    package private(set) var problems: [Diagnostic] = []
    /// The number of attributes with a decision.
    package private(set) var decided = 0

    let rules: AnonymisationRules

    package init(_ rules: AnonymisationRules, _ schema: Schema) {
        self.rules = rules
        var known: Set<String> = []
        for entity in schema.entities {
            for attribute in entity.attributes where Self.needsDecision(attribute) {
                known.insert("\(entity.name).\(attribute.name)")
                let decision = rules.decision(on: attribute, of: entity, schema)
                if let decision {
                    if let problem = Self.problem(decision, attribute, entity) { problems.append(problem) }
                    if case .template(let template) = decision,
                        let problem = Self.problem(template, rules, attribute, entity, schema)
                    {
                        problems.append(problem)
                    }
                } else if let reason = rules.modelProblem(attribute) {
                    problems.append(
                        Diagnostic(.modelUnknown, reason, entity: entity.name, property: attribute.name))
                }
                // A subentity has the decision of the entity that declares the attribute.
                guard attribute.owner == entity.index else { continue }
                if decision == nil { undecided.append(Self.proposal(attribute, entity)) } else { decided += 1 }
            }
        }
        for name in rules.decisions.keys.filter({ !known.contains($0) }).sorted() {
            problems.append(
                Diagnostic(
                    .modelUnknown,
                    "\(rules.file): \(Diagnostic.shortened(name)) is not a stored attribute of the model"
                        + NearestText.hint(for: name, in: known.sorted())))
        }
    }

    /// Derived values are computed from the others.
    static func needsDecision(_ attribute: Schema.Attribute) -> Bool {
        attribute.isPersistent && attribute.description.derivationExpression == nil
    }

    /// Why an attribute cannot have a decision; nil if it can.
    static func problem(
        _ decision: AnonymisationRules.Decision, _ attribute: Schema.Attribute, _ entity: Schema.Entity
    ) -> Diagnostic? {
        func problem(_ reason: String) -> Diagnostic {
            Diagnostic(.modelUnknown, reason, entity: entity.name, property: attribute.name)
        }
        if decision.mergesValues, Anonymisation.uniqueSlots(of: entity).contains(attribute.slot) {
            return problem("the attribute is unique, and its values could become equal")
        }
        switch decision {
        case .keep: return nil
        case .replace, .replaceIn:
            return Anonymisation.refusal(attribute).map(problem)
        case .null:
            return attribute.description.isOptional
                ? nil : problem("the attribute is required, so its values cannot become NULL")
        case .constant:
            guard attribute.type == .string else { return problem("only a String can become a constant") }
            return violation(of: decision.constant, attribute).map(problem)
        case .hash:
            guard attribute.type == .string else { return problem("only a String can become a hash") }
            // Any hash: a rule on lengths, a pattern or a list refuses all or nearly all.
            return violation(of: String(repeating: "0a", count: KeyedHash.digits / 2), attribute).map(problem)
        case .mask:
            return attribute.type == .string ? nil : problem("only a String can be masked")
        case .generate(let specification, let text):
            if let reason = Anonymisation.refusal(attribute) { return problem(reason) }
            let domains = AttributeDomains(
                attribute, entity: entity.name, specification: specification, options: GenerationOptions(),
                keepsExactDecimals: false)
            guard case .refused(_, let reason) = domains.domain(for: 0) else { return nil }
            return problem("generate \(text): \(reason)")
        case .noise:
            switch attribute.type {
            case .integer16, .integer32, .integer64, .decimal, .double, .float: return nil
            default: return problem("only a number can get noise")
            }
        case .shift(let shift):
            guard attribute.type == .date else { return problem("only a Date can be shifted") }
            guard let name = shift.relationship else { return nil }
            guard let relationship = entity.relationship(named: name), relationship.isPersistent,
                !relationship.isToMany
            else {
                return problem(
                    "\(Diagnostic.shortened(name)) is not a stored to-one relationship of \(entity.name)")
            }
            return nil
        case .template:
            return attribute.type == .string ? nil : problem("only a String can be made from a template")
        }
    }

    /// What is wrong with the attributes that a template names.
    private static func problem(
        _ template: ReplacementTemplate, _ rules: AnonymisationRules, _ attribute: Schema.Attribute,
        _ entity: Schema.Entity, _ schema: Schema
    ) -> Diagnostic? {
        for name in template.names {
            let shown = Diagnostic.shortened(name)
            var reason: String?
            if let other = entity.attribute(named: name), needsDecision(other) {
                if case .template? = rules.decision(on: other, of: entity, schema) {
                    reason = "the template names \(shown), which is made from a template too"
                }
                switch other.type {
                case .string, .uri, .integer16, .integer32, .integer64: break
                default: reason = "the template names \(shown), which is neither a text nor an integer"
                }
            } else {
                reason =
                    "the template names \(shown), which is not a stored attribute of \(entity.name)"
                    + NearestText.hint(for: name, in: entity.attributes.map(\.name))
            }
            if let reason { return Diagnostic(.modelUnknown, reason, entity: entity.name, property: attribute.name) }
        }
        return nil
    }

    private static func violation(of text: String, _ attribute: Schema.Attribute) -> String? {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            attribute.validator.violations(of: .text(bytes)).first.map { "the new value breaks a rule: \($0.message)" }
        }
    }
}
