import GranaryBase
import GranaryCoordination
import GranaryModel

/// The model's rules on one object.
extension ManagedObject {
    /// - Throws: ``GranaryError`` with every rule that the object's values break; an error of a subclass's own
    ///   `validateValue` when it is the only trouble.
    func validateProperties() throws {
        var failures = ValidationFailures()
        // Objects without a class of their own cannot have rules of their own: no look-up by name.
        let isPlain = layout.objectClass == ManagedObject.self
        for attribute in layout.entity.attributes {
            let value = values[attribute.slot].attribute
            if isPlain {
                for violation in Self.violations(of: value, attribute) {
                    failures.add(diagnostic(violation, attribute.name, value: value?.shortText))
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
        for violation in found { failures.add(diagnostic(violation, attribute.name, value: value?.shortText)) }
        try failures.throwIfAny(found.first?.message ?? "")
    }

    func validateDenyRules() throws {
        var failures = ValidationFailures()
        for link in layout.relationships where link.relationship.description.deleteRule == .deny {
            let left = try linkCount(link)
            guard left > 0 else { continue }
            let objects = left == 1 ? "1 object that stays" : "\(left) objects that stay"
            failures.add(diagnostic(Violation(.relationshipDenied, "may not be deleted: it has \(objects)"), link.name))
        }
        try failures.throwIfAny("\(self) may not be deleted")
    }

    private static func violations(of value: AttributeValue?, _ attribute: Schema.Attribute) -> [Violation] {
        guard let value else { return attribute.validator.violations(of: .null) }
        return value.withBorrowed { attribute.validator.violations(of: $0) }
    }

    private func violations(of link: LinkLayout) throws -> [Violation] {
        guard link.relationship.hasCountRule else { return [] }
        return link.relationship.violations(ofCount: try linkCount(link))
    }

    /// How many objects are there that the save does not remove.
    private func linkCount(_ link: LinkLayout) throws -> Int {
        try load(link.end)
        let context = managedObjectContext
        let ids = link.isToMany ? values[link.slot].toMany?.ids ?? [] : [values[link.slot].toOne].compactMap { $0 }
        return ids.count { context?.isGoing($0) != true }
    }

    /// A broken rule with its place: the entity, the property and, in the message, the object.
    func diagnostic(_ violation: Violation, _ property: String, value: String? = nil) -> Diagnostic {
        Diagnostic(
            violation.code, "\(violation.message) (\(objectID))", entity: entity.name, property: property,
            object: "\(objectID.uriRepresentation)", value: value, coreDataCode: violation.coreDataCode)
    }
}

/// What validation finds: diagnostics, and errors of other kinds that subclasses throw.
struct ValidationFailures {
    private(set) var collector = DiagnosticCollector()
    /// All errors as they were thrown, up to the collector's limit.
    private var errors: [any Error] = []
    /// The first error that is none of ours.
    private var custom: (any Error)?

    var isEmpty: Bool { collector.count == 0 }

    mutating func add(_ diagnostic: Diagnostic) { add(diagnostic, as: diagnostic) }

    private mutating func add(_ diagnostic: Diagnostic, as error: any Error) {
        collector.add(diagnostic)
        if errors.count < collector.limit { errors.append(error) }
    }

    /// Runs a check and keeps what it throws.
    mutating func collect(_ object: ManagedObject, _ check: () throws -> Void) {
        do { try check() } catch let error as GranaryError where error.code == .refused && !error.diagnostics.isEmpty {
            let details = error.detailedErrors ?? []
            for (index, diagnostic) in error.diagnostics.enumerated() {
                add(diagnostic, as: details.indices.contains(index) ? details[index] : diagnostic)
            }
            custom = custom ?? error.underlying
        } catch {
            add(
                Diagnostic(
                    .valuePredicate, "\(error) (\(object.objectID))", entity: object.entity.name,
                    object: "\(object.objectID.uriRepresentation)"), as: error)
            custom = custom ?? error
        }
    }

    /// One error of a subclass is thrown as it is; everything else as one refusal.
    func throwIfAny(_ message: @autoclosure () -> String) throws {
        guard !isEmpty else { return }
        if collector.count == 1, let custom { throw custom }
        var error = GranaryError(.refused, message(), diagnostics: collector.diagnostics, underlying: custom)
        if custom != nil { error.detailedErrors = errors }
        // NSValidationMultipleErrorsError, also where a rule has no number of its own.
        if collector.count > 1 { error.specificCode = 1560 }
        throw error
    }
}
