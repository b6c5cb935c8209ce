extension AttributeDescription: Codable, MemberCoded {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, type, isOptional, isTransient, isIndexed, defaultValue, allowsExternalBinaryDataStorage,
            preservesValueInHistoryOnDeletion, allowsCloudEncryption, isIndexedBySpotlight, isStoredInExternalRecord,
            minimumLength, maximumLength, minimumValue, maximumValue, regularExpression, validationRules,
            valueTransformerName, valueClassName, compositeName, derivationExpression, usesScalarValueType, isSyncable,
            renamingIdentifier, versionHashModifier, userInfo, notes
    }

    public init(from decoder: any Decoder) throws {
        self = try Self(name: "", type: .undefined).decoded(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try encodeMembers(to: encoder) }

    mutating func code(_ coder: inout MemberCoder<CodingKeys>) throws {
        try coder.required(&name, .name)
        try coder.required(&type, .type)
        try coder.optional(&isOptional, .isOptional, or: false)
        try coder.optional(&isTransient, .isTransient, or: false)
        try coder.optional(&isIndexed, .isIndexed, or: false)
        try coder.optional(&defaultValue, .defaultValue)
        try coder.optional(&allowsExternalBinaryDataStorage, .allowsExternalBinaryDataStorage, or: false)
        try coder.optional(&preservesValueInHistoryOnDeletion, .preservesValueInHistoryOnDeletion, or: false)
        try coder.optional(&allowsCloudEncryption, .allowsCloudEncryption, or: false)
        try coder.optional(&isIndexedBySpotlight, .isIndexedBySpotlight, or: false)
        try coder.optional(&isStoredInExternalRecord, .isStoredInExternalRecord, or: false)
        try coder.optional(&minimumLength, .minimumLength)
        try coder.optional(&maximumLength, .maximumLength)
        try coder.optional(&minimumValue, .minimumValue)
        try coder.optional(&maximumValue, .maximumValue)
        try coder.optional(&regularExpression, .regularExpression)
        try coder.optional(&validationRules, .validationRules, or: [])
        try coder.optional(&valueTransformerName, .valueTransformerName)
        try coder.optional(&valueClassName, .valueClassName)
        try coder.optional(&compositeName, .compositeName)
        try coder.optional(&derivationExpression, .derivationExpression)
        try coder.optional(&usesScalarValueType, .usesScalarValueType)
        try coder.optional(&isSyncable, .isSyncable, or: false)
        try coder.optional(&renamingIdentifier, .renamingIdentifier)
        try coder.optional(&versionHashModifier, .versionHashModifier)
        try coder.optional(&userInfo, .userInfo, or: [:])
        try coder.optional(&notes, .notes, or: [:])
    }
}
