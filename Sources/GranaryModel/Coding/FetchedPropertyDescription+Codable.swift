extension FetchedPropertyDescription: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, fetchRequest, isOptional, isSyncable, renamingIdentifier, versionHashModifier, userInfo, notes
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            fetchRequest: try container.decode(FetchRequestTemplate.self, forKey: .fetchRequest))
        isOptional = try container.value(.isOptional, or: true)
        isSyncable = try container.value(.isSyncable, or: false)
        renamingIdentifier = try container.decodeIfPresent(String.self, forKey: .renamingIdentifier)
        versionHashModifier = try container.decodeIfPresent(String.self, forKey: .versionHashModifier)
        userInfo = try container.value(.userInfo, or: [:])
        notes = try container.value(.notes, or: [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(fetchRequest, forKey: .fetchRequest)
        try container.value(isOptional, .isOptional, unless: true)
        try container.value(isSyncable, .isSyncable, unless: false)
        try container.encodeIfPresent(renamingIdentifier, forKey: .renamingIdentifier)
        try container.encodeIfPresent(versionHashModifier, forKey: .versionHashModifier)
        try container.value(userInfo, .userInfo, unless: [:])
        try container.value(notes, .notes, unless: [:])
    }
}

extension FetchRequestTemplate: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, entityName, predicateFormat, resultType, fetchLimit, fetchBatchSize, includesSubentities,
            includesPropertyValues, includesPendingChanges, returnsObjectsAsFaults, returnsDistinctResults, notes
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            entityName: try container.decode(String.self, forKey: .entityName))
        predicateFormat = try container.decodeIfPresent(String.self, forKey: .predicateFormat)
        resultType = try container.value(.resultType, or: .managedObjects)
        fetchLimit = try container.value(.fetchLimit, or: 0)
        fetchBatchSize = try container.value(.fetchBatchSize, or: 0)
        includesSubentities = try container.value(.includesSubentities, or: false)
        includesPropertyValues = try container.value(.includesPropertyValues, or: false)
        includesPendingChanges = try container.value(.includesPendingChanges, or: false)
        returnsObjectsAsFaults = try container.value(.returnsObjectsAsFaults, or: false)
        returnsDistinctResults = try container.value(.returnsDistinctResults, or: false)
        notes = try container.value(.notes, or: [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(entityName, forKey: .entityName)
        try container.encodeIfPresent(predicateFormat, forKey: .predicateFormat)
        try container.value(resultType, .resultType, unless: .managedObjects)
        try container.value(fetchLimit, .fetchLimit, unless: 0)
        try container.value(fetchBatchSize, .fetchBatchSize, unless: 0)
        try container.value(includesSubentities, .includesSubentities, unless: false)
        try container.value(includesPropertyValues, .includesPropertyValues, unless: false)
        try container.value(includesPendingChanges, .includesPendingChanges, unless: false)
        try container.value(returnsObjectsAsFaults, .returnsObjectsAsFaults, unless: false)
        try container.value(returnsDistinctResults, .returnsDistinctResults, unless: false)
        try container.value(notes, .notes, unless: [:])
    }
}
