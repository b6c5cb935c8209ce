extension ModelComparison {
    mutating func compareAttribute(_ from: AttributeDescription, _ to: AttributeDescription, at place: Place) {
        identifierFacet(place, (from.name, from.renamingIdentifier), (to.name, to.renamingIdentifier))
        compareHashed(from, to, at: place)
        facet(place, "defaultValue", from.defaultValue, to.defaultValue)
        facet(place, "minimumLength", from.minimumLength, to.minimumLength)
        facet(place, "maximumLength", from.maximumLength, to.maximumLength)
        facet(place, "minimumValue", from.minimumValue, to.minimumValue)
        facet(place, "maximumValue", from.maximumValue, to.maximumValue)
        facet(place, "regularExpression", from.regularExpression, to.regularExpression)
        facet(place, "validationRules", Self.rules(from), Self.rules(to))
        facet(
            place, "valueTransformerName", from.valueTransformerName, to.valueTransformerName,
            Self.isKeyedArchiver(from.valueTransformerName) && Self.isKeyedArchiver(to.valueTransformerName)
                ? .none : .unsure(reason: "no migration changes stored values, which another transformer has written"))
        facet(place, "valueClassName", from.valueClassName, to.valueClassName)
        facet(place, "isIndexed", from.isIndexed, to.isIndexed)
        facet(place, "allowsCloudEncryption", from.allowsCloudEncryption, to.allowsCloudEncryption)
        facet(place, "isIndexedBySpotlight", from.isIndexedBySpotlight, to.isIndexedBySpotlight)
        facet(place, "isStoredInExternalRecord", from.isStoredInExternalRecord, to.isStoredInExternalRecord)
        userInfoFacets(place, from.userInfo, to.userInfo)
        facet(place, "usesScalarValueType", from.usesScalarValueType, to.usesScalarValueType, .granaryOnly)
        facet(place, "isSyncable", from.isSyncable, to.isSyncable, .granaryOnly)
    }

    /// Compares what the version hash contains, which matters only for attributes that are stored.
    private mutating func compareHashed(
        _ from: AttributeDescription, _ to: AttributeDescription, at place: Place
    ) {
        let isKept = !from.isTransient && !to.isTransient
        let isDerived = from.derivationExpression != nil && to.derivationExpression != nil
        let isComposite = from.type == .composite && to.type == .composite
        /// For derived and composite attributes the hash contains only the expression or the elements.
        func hashed(_ migration: ModelDifference.Migration) -> ModelDifference.Migration {
            isKept && !isDerived && !isComposite ? migration : .none
        }
        if from.isTransient != to.isTransient {
            let appears = to.isTransient ? .inferred : Self.needsDefault(to) ? Self.noDefault : .inferred
            facet(place, "isTransient", from.isTransient, to.isTransient, appears)
        }
        facet(place, "type", from.type.name, to.type.name, hashed(Self.conversion(from.type, to.type)))
        facet(
            place, "isOptional", from.isOptional, to.isOptional,
            hashed(Self.needsDefault(to) ? Self.noDefault : .inferred))
        facet(
            place, "allowsExternalBinaryDataStorage", from.allowsExternalBinaryDataStorage,
            to.allowsExternalBinaryDataStorage,
            hashed(
                .unsure(reason: "the version hash changes, and values are moved when they are written the next time")))
        facet(
            place, "preservesValueInHistoryOnDeletion", from.preservesValueInHistoryOnDeletion,
            to.preservesValueInHistoryOnDeletion, hashed(Self.unnamed))
        facet(
            place, "versionHashModifier", from.versionHashModifier, to.versionHashModifier, hashed(.inferred))
        facet(
            place, "derivationExpression", from.derivationExpression, to.derivationExpression,
            isKept ? Self.unnamed : .none)
        if !Self.same(from.compositeName, to.compositeName) {
            let isSame =
                !isKept || elements(from, in: old).map(\.name) == elements(to, in: new).map(\.name)
            facet(place, "compositeName", from.compositeName, to.compositeName, isSame ? .granaryOnly : Self.unnamed)
        }
    }

    /// Whether a transformer, nil for the default one, stores values as keyed archives. Apps have replaced one of these
    /// by another without a migration (docs/core-data/migration.md#transformers).
    private static func isKeyedArchiver(_ name: String?) -> Bool {
        switch name {
        case nil, "", "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
            "NSSecureUnarchiveFromData",
            "NSSecureUnarchiveFromDataTransformer":
            true
        default: false
        }
    }

    /// The migration of an attribute whose type changed. Core Data converts numbers to numbers, and nothing else.
    private static func conversion(_ from: AttributeType, _ to: AttributeType) -> ModelDifference.Migration {
        guard let holdsAll = to.holdsNumbers(of: from) else {
            return .needsMapping(reason: "Core Data converts only numbers to other types of numbers")
        }
        return holdsAll
            ? .inferred
            : .inferredIfDataFits(check: "each number must be a \(to.name) without rounding")
    }

    private func elements(_ attribute: AttributeDescription, in model: ManagedObjectModel) -> [AttributeDescription] {
        model.composites.first { $0.name == attribute.compositeName }?.elements ?? []
    }

    private static func rules(_ attribute: AttributeDescription) -> String? {
        let rules = attribute.validationRules.map { rule in
            "\(rule.predicate)" + (rule.message.isEmpty ? "" : " (\(rule.message))")
        }
        return rules.isEmpty ? nil : rules.joined(separator: "; ")
    }
}
