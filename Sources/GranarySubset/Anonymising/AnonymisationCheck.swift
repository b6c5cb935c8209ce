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
        /// `replace`, `null` or `keep`.
        package let proposal: String
        package let reason: String
    }

    /// In the order of the model.
    package private(set) var undecided: [Undecided] = []
    /// Decisions on what the model does not have, or that an attribute cannot have.
    package private(set) var problems: [Diagnostic] = []
    /// The number of attributes with a decision.
    package private(set) var decided = 0

    package init(_ rules: AnonymisationRules, _ schema: Schema) {
        var known: Set<String> = []
        for entity in schema.entities {
            for attribute in entity.attributes where Self.needsDecision(attribute) {
                known.insert("\(entity.name).\(attribute.name)")
                let decision = rules.decision(on: attribute, of: entity, schema)
                if let decision {
                    if let problem = Self.problem(decision, attribute, entity) { problems.append(problem) }
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
        let isUnique = entity.uniquenessConstraints.contains { $0.names.contains(attribute.name) }
        switch decision {
        case .keep: return nil
        case .replace:
            return Anonymisation.refusal(attribute).map(problem)
        case .null:
            return attribute.description.isOptional
                ? nil : problem("the attribute is required, so its values cannot become NULL")
        case .constant:
            if isUnique { return problem("the attribute is unique, so its values cannot become equal") }
            guard attribute.type == .string else { return problem("only a String can become a constant") }
            return violation(of: decision.constant, attribute).map(problem)
        case .hash:
            guard attribute.type == .string else { return problem("only a String can become a hash") }
            // Any hash: a rule on lengths, a pattern or a list refuses all or nearly all.
            return violation(of: String(repeating: "0a", count: KeyedHash.digits / 2), attribute).map(problem)
        }
    }

    private static func violation(of text: String, _ attribute: Schema.Attribute) -> String? {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            attribute.validator.violations(of: .text(bytes)).first.map { "the new value breaks a rule: \($0.message)" }
        }
    }

    private static func proposal(_ attribute: Schema.Attribute, _ entity: Schema.Entity) -> Undecided {
        let kind = PropertyNames(attribute: attribute.name, entity: entity.name).textKind
        let (proposal, reason): (String, String)
        switch attribute.type {
        case .string, .uri:
            switch kind {
            case .name, .firstName, .lastName, .username, .email, .phone, .street, .postcode, .city, .url:
                (proposal, reason) = ("replace", "its name looks personal (\(kind.rawValue))")
            default: (proposal, reason) = ("replace", "a text can contain anything")
            }
        case .binary:
            (proposal, reason) =
                attribute.description.isOptional
                ? ("null", "binary data can be a picture or a document")
                : ("replace", "binary data can be a picture or a document")
        case .transformable, .composite, .undefined, .objectID:
            (proposal, reason) =
                attribute.description.isOptional
                ? ("null", "the values are objects of the app") : ("keep", "the values are objects of the app")
        case .date: (proposal, reason) = ("replace", "a date can identify a person")
        case .uuid: (proposal, reason) = ("replace", "an identifier can be known elsewhere")
        default: (proposal, reason) = ("keep", "numbers and Booleans alone rarely name a person")
        }
        return Undecided(
            attribute: "\(entity.name).\(attribute.name)", type: attribute.type.name, proposal: proposal, reason: reason
        )
    }
}
