extension AttributeDescription: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, type, isOptional, isTransient, isIndexed, defaultValue, allowsExternalBinaryDataStorage,
            preservesValueInHistoryOnDeletion, allowsCloudEncryption, isIndexedBySpotlight, isStoredInExternalRecord,
            minimumLength, maximumLength, minimumValue, maximumValue, regularExpression, validationRules,
            valueTransformerName, valueClassName, compositeName, derivationExpression, usesScalarValueType, isSyncable,
            renamingIdentifier, versionHashModifier, userInfo, notes
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            type: try container.decode(AttributeType.self, forKey: .type))
        isOptional = try container.value(.isOptional, or: false)
        isTransient = try container.value(.isTransient, or: false)
        isIndexed = try container.value(.isIndexed, or: false)
        defaultValue = try container.decodeIfPresent(AttributeValue.self, forKey: .defaultValue)
        allowsExternalBinaryDataStorage = try container.value(.allowsExternalBinaryDataStorage, or: false)
        preservesValueInHistoryOnDeletion = try container.value(.preservesValueInHistoryOnDeletion, or: false)
        allowsCloudEncryption = try container.value(.allowsCloudEncryption, or: false)
        isIndexedBySpotlight = try container.value(.isIndexedBySpotlight, or: false)
        isStoredInExternalRecord = try container.value(.isStoredInExternalRecord, or: false)
        minimumLength = try container.decodeIfPresent(Int.self, forKey: .minimumLength)
        maximumLength = try container.decodeIfPresent(Int.self, forKey: .maximumLength)
        minimumValue = try container.decodeIfPresent(AttributeValue.self, forKey: .minimumValue)
        maximumValue = try container.decodeIfPresent(AttributeValue.self, forKey: .maximumValue)
        regularExpression = try container.decodeIfPresent(String.self, forKey: .regularExpression)
        validationRules = try container.value(.validationRules, or: [])
        valueTransformerName = try container.decodeIfPresent(String.self, forKey: .valueTransformerName)
        valueClassName = try container.decodeIfPresent(String.self, forKey: .valueClassName)
        compositeName = try container.decodeIfPresent(String.self, forKey: .compositeName)
        derivationExpression = try container.decodeIfPresent(String.self, forKey: .derivationExpression)
        usesScalarValueType = try container.decodeIfPresent(Bool.self, forKey: .usesScalarValueType)
        isSyncable = try container.value(.isSyncable, or: false)
        renamingIdentifier = try container.decodeIfPresent(String.self, forKey: .renamingIdentifier)
        versionHashModifier = try container.decodeIfPresent(String.self, forKey: .versionHashModifier)
        userInfo = try container.value(.userInfo, or: [:])
        notes = try container.value(.notes, or: [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(type, forKey: .type)
        try container.value(isOptional, .isOptional, unless: false)
        try container.value(isTransient, .isTransient, unless: false)
        try container.value(isIndexed, .isIndexed, unless: false)
        try container.encodeIfPresent(defaultValue, forKey: .defaultValue)
        try container.value(allowsExternalBinaryDataStorage, .allowsExternalBinaryDataStorage, unless: false)
        try container.value(preservesValueInHistoryOnDeletion, .preservesValueInHistoryOnDeletion, unless: false)
        try container.value(allowsCloudEncryption, .allowsCloudEncryption, unless: false)
        try container.value(isIndexedBySpotlight, .isIndexedBySpotlight, unless: false)
        try container.value(isStoredInExternalRecord, .isStoredInExternalRecord, unless: false)
        try container.encodeIfPresent(minimumLength, forKey: .minimumLength)
        try container.encodeIfPresent(maximumLength, forKey: .maximumLength)
        try container.encodeIfPresent(minimumValue, forKey: .minimumValue)
        try container.encodeIfPresent(maximumValue, forKey: .maximumValue)
        try container.encodeIfPresent(regularExpression, forKey: .regularExpression)
        try container.value(validationRules, .validationRules, unless: [])
        try container.encodeIfPresent(valueTransformerName, forKey: .valueTransformerName)
        try container.encodeIfPresent(valueClassName, forKey: .valueClassName)
        try container.encodeIfPresent(compositeName, forKey: .compositeName)
        try container.encodeIfPresent(derivationExpression, forKey: .derivationExpression)
        try container.encodeIfPresent(usesScalarValueType, forKey: .usesScalarValueType)
        try container.value(isSyncable, .isSyncable, unless: false)
        try container.encodeIfPresent(renamingIdentifier, forKey: .renamingIdentifier)
        try container.encodeIfPresent(versionHashModifier, forKey: .versionHashModifier)
        try container.value(userInfo, .userInfo, unless: [:])
        try container.value(notes, .notes, unless: [:])
    }
}
