import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Checks the model's rules for one object.
extension ManagedObject {
    /// - Throws: ``GranaryError`` with every broken rule; if there is only one error and a subclass's `validateValue`
    ///   threw it, that error.
    func validateProperties() throws {
        var failures = ValidationFailures()
        // Objects without a subclass have no custom rules, so names need not be looked up.
        let isPlain = layout.objectClass == ManagedObject.self
        for attribute in layout.entity.attributes {
            let value = values[attribute.slot].attribute
            if isPlain {
                for violation in Self.violations(of: value, attribute) {
                    failures.add(diagnostic(violation, attribute, value))
                }
            } else {
                failures.collect(self) { try validateValue(value, forKey: attribute.name) }
            }
        }
        for link in layout.relationships {
            for violation in try violations(of: link) { failures.add(diagnostic(violation, link.name)) }
        }
        try failures.throwIfAny("\(self) breaks the model's rules")
    }

    func validateModelRules(_ value: AttributeValue?, forKey key: String) throws {
        let attribute = try attribute(forKey: key)
        let found = Self.violations(of: value, attribute)
        var failures = ValidationFailures()
        for violation in found { failures.add(diagnostic(violation, attribute, value)) }
        try failures.throwIfAny(found.first?.message ?? "")
    }

    func validateDenyRules() throws {
        var failures = ValidationFailures()
        for link in layout.relationships where link.relationship.description.deleteRule == .deny {
            let left = try linkCount(link)
            guard left > 0 else { continue }
            let objects = left == 1 ? "1 object that is not deleted" : "\(left) objects that are not deleted"
            failures.add(diagnostic(Violation(.relationshipDenied, "cannot be deleted: it has \(objects)"), link.name))
        }
        try failures.throwIfAny("\(self) cannot be deleted")
    }

    private static func violations(of value: AttributeValue?, _ attribute: Schema.Attribute) -> [Violation] {
        guard let value else { return attribute.validator.violations(of: .null) }
        return value.withBorrowed { attribute.validator.violations(of: $0) }
    }

    private func violations(of link: LinkLayout) throws -> [Violation] {
        guard link.relationship.hasCountRule else { return [] }
        return link.relationship.violations(ofCount: try linkCount(link))
    }

    /// Returns the number of linked objects that the save does not delete.
    private func linkCount(_ link: LinkLayout) throws -> Int {
        try load(link.end)
        let context = managedObjectContext
        return values[link.slot].ids.count { context?.isGoing($0) != true }
    }

    private func diagnostic(
        _ violation: Violation, _ attribute: Schema.Attribute, _ value: AttributeValue?
    ) -> Diagnostic {
        var diagnostic = diagnostic(violation, attribute.name, value: value?.shortText)
        diagnostic.rule = violation.rule ?? attribute.description.brokenRule(violation.code)
        return diagnostic
    }

    /// Returns the diagnostic of a broken rule with the entity, the property and, in the message, the object.
    func diagnostic(_ violation: Violation, _ property: String, value: String? = nil) -> Diagnostic {
        Diagnostic(
            violation.code, "\(violation.message) (\(objectID))", entity: entity.name, property: property,
            object: "\(objectID.uriRepresentation)", value: value, coreDataCode: violation.coreDataCode)
    }
}

extension DiagnosticCollector {
    /// The number of broken rules in messages: `1 rule`.
    var ruleCount: String { count == 1 ? "1 rule" : "\(count) rules" }
}
