extension RelationshipDescription: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, destinationEntityName, inverseName, isOptional, isTransient, minCount, maxCount, isOrdered,
            deleteRule, isIndexed, isIndexedBySpotlight, isStoredInExternalRecord, isSyncable, renamingIdentifier,
            versionHashModifier, userInfo, notes
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            destination: try container.decode(String.self, forKey: .destinationEntityName))
        inverseName = try container.decodeIfPresent(String.self, forKey: .inverseName)
        isOptional = try container.value(.isOptional, or: false)
        isTransient = try container.value(.isTransient, or: false)
        minCount = try container.value(.minCount, or: 0)
        maxCount = try container.value(.maxCount, or: 1)
        isOrdered = try container.value(.isOrdered, or: false)
        deleteRule = try container.value(.deleteRule, or: .nullify)
        isIndexed = try container.value(.isIndexed, or: false)
        isIndexedBySpotlight = try container.value(.isIndexedBySpotlight, or: false)
        isStoredInExternalRecord = try container.value(.isStoredInExternalRecord, or: false)
        isSyncable = try container.value(.isSyncable, or: false)
        renamingIdentifier = try container.decodeIfPresent(String.self, forKey: .renamingIdentifier)
        versionHashModifier = try container.decodeIfPresent(String.self, forKey: .versionHashModifier)
        userInfo = try container.value(.userInfo, or: [:])
        notes = try container.value(.notes, or: [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(destinationEntityName, forKey: .destinationEntityName)
        try container.encodeIfPresent(inverseName, forKey: .inverseName)
        try container.value(isOptional, .isOptional, unless: false)
        try container.value(isTransient, .isTransient, unless: false)
        try container.value(minCount, .minCount, unless: 0)
        try container.value(maxCount, .maxCount, unless: 1)
        try container.value(isOrdered, .isOrdered, unless: false)
        try container.value(deleteRule, .deleteRule, unless: .nullify)
        try container.value(isIndexed, .isIndexed, unless: false)
        try container.value(isIndexedBySpotlight, .isIndexedBySpotlight, unless: false)
        try container.value(isStoredInExternalRecord, .isStoredInExternalRecord, unless: false)
        try container.value(isSyncable, .isSyncable, unless: false)
        try container.encodeIfPresent(renamingIdentifier, forKey: .renamingIdentifier)
        try container.encodeIfPresent(versionHashModifier, forKey: .versionHashModifier)
        try container.value(userInfo, .userInfo, unless: [:])
        try container.value(notes, .notes, unless: [:])
    }
}
