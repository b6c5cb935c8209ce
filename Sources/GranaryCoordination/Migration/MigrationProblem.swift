package import GranaryBase

/// What prevents a migration, or what it would lose: one kind of problem of one property, with the objects concerned.
package struct MigrationProblem: Sendable {
    /// The kind of a problem.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// A required attribute would have no value.
        case missingValue
        /// A required to-one would have no object.
        case missingObject
        /// A number does not fit the attribute's type.
        case range
        /// A number would be rounded.
        case rounding
        /// Objects have the same values in the properties of a uniqueness constraint.
        case duplicate
        /// Such objects that are dropped, because another one was chosen.
        case removedDuplicate
        /// Links of such objects that lead to the ones that stay.
        case turnedLinks
        /// A relationship would have fewer objects than its minimum.
        case tooFew
        /// A relationship would have more objects than its maximum.
        case tooMany
        /// Objects of an entity that the newer version does not have.
        case droppedObjects
        /// Objects of an entity that is abstract in the newer version.
        case abstractObjects
        /// Values of an attribute that the newer version does not have.
        case droppedValues
        /// Links that no relationship of the newer version holds.
        case droppedLinks
        /// Rows of a table that belong to no entity.
        case strayRows
        /// Values of another storage class than their attribute's.
        case damaged

        package static let all = Set(allCases)
        /// What a migration can lose if the user allows it.
        package static let drops: Set<Self> = [
            .droppedObjects, .abstractObjects, .droppedValues, .droppedLinks, .strayRows,
        ]
        /// What a store can keep although it breaks a rule.
        package static let invalid: Set<Self> = [.missingValue, .missingObject, .rounding, .tooFew, .tooMany, .damaged]

        fileprivate var code: Diagnostic.Code {
            switch self {
            case .missingValue, .missingObject: .valueMissing
            case .range: .valueRange
            case .rounding: .valuePrecision
            case .duplicate, .removedDuplicate, .turnedLinks: .uniqueDuplicate
            case .tooFew: .relationshipTooFew
            case .tooMany: .relationshipTooMany
            case .droppedObjects, .abstractObjects, .droppedValues, .droppedLinks: .migrationDrop
            case .strayRows, .damaged: .storeCorrupt
            }
        }
    }

    /// The number of objects that ``objects`` names at most.
    package static let objectLimit = 50

    package let kind: Kind
    /// The entity; of a dropped one in the older version, otherwise in the newer version.
    package let entity: String
    /// The property; the names of a constraint's properties, separated by commas; nil for dropped objects.
    package let property: String?
    /// The number of objects, values or links.
    package internal(set) var count = 0
    /// The names of the first objects, such as `Patient/p57`.
    package internal(set) var objects: [String] = []
    /// Whether it prevents the migration.
    package internal(set) var isError = false
    /// The index of the step that it was found in.
    package internal(set) var step = 0

    /// The diagnostic of a refused migration.
    package func refusalDiagnostic() -> Diagnostic { diagnostic(isError ? .error : .warning, isPrevented: true) }

    /// - Parameters:
    ///   - severity: that of the diagnostic.
    ///   - isPrevented: whether nothing was changed, because the migration is refused or only checks.
    package func diagnostic(_ severity: Diagnostic.Severity, isPrevented: Bool) -> Diagnostic {
        let named = objects.prefix(5).joined(separator: ", ") + (count > min(5, objects.count) ? ", …" : "")
        let text = text(isPrevented: isPrevented)
        return Diagnostic(
            kind.code, objects.isEmpty ? text : "\(text): \(named)", severity: severity, entity: entity,
            property: property, object: objects.first, help: severity == .error ? help : nil)
    }

    private func amount(_ one: String, _ many: String) -> String { count == 1 ? "1 \(one)" : "\(count) \(many)" }

    private func text(isPrevented: Bool) -> String {
        let dropped = isPrevented ? "would be dropped" : count == 1 ? "was dropped" : "were dropped"
        return switch kind {
        case .missingValue:
            amount("object has", "objects have") + " no value, and the attribute is required and has no default value"
        case .missingObject:
            amount("object has", "objects have") + " no related object, and the relationship is required"
        case .range: amount("number does", "numbers do") + " not fit the attribute's type"
        case .rounding: amount("number", "numbers") + (isPrevented ? " would lose" : " lost") + " a fraction or digits"
        case .duplicate:
            amount("object has", "objects have") + " the values of an object before it, and the values must be unique"
        case .removedDuplicate: amount("object", "objects") + " \(dropped), because others have the same unique values"
        case .turnedLinks:
            amount("link", "links") + (isPrevented ? " would lead" : count == 1 ? " leads" : " lead")
                + " to the object that stays instead of one that is dropped"
        case .tooFew: amount("object has", "objects have") + " fewer related objects than the relationship's minimum"
        case .tooMany: amount("object has", "objects have") + " more related objects than the relationship's maximum"
        case .droppedObjects: amount("object", "objects") + " \(dropped), because the model has no such entity"
        case .abstractObjects: amount("object", "objects") + " \(dropped), because the entity is abstract in the model"
        case .droppedValues: amount("value", "values") + " \(dropped), because the model has no such attribute"
        case .droppedLinks: amount("link", "links") + " \(dropped)"
        case .strayRows: amount("row belongs", "rows belong") + " to no entity and \(dropped); a store check lists them"
        case .damaged: amount("value has", "values have") + " another storage class than the attribute"
        }
    }

    private var help: String? {
        switch kind {
        case .missingValue: "--fill \(entity).\(property ?? "PROPERTY")=VALUE"
        case .duplicate: "--dedupe \(entity)=first"
        case .droppedObjects, .abstractObjects, .droppedValues, .droppedLinks, .strayRows: "--allow-drop"
        case .rounding, .missingObject, .tooFew, .tooMany, .damaged: "--on-invalid keep"
        case .range, .removedDuplicate, .turnedLinks: nil
        }
    }
}
