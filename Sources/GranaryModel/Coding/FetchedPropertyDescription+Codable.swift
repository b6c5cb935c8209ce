extension FetchedPropertyDescription: Codable, MemberCoded {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, fetchRequest, isOptional, isSyncable, renamingIdentifier, versionHashModifier, userInfo, notes
    }

    public init(from decoder: any Decoder) throws {
        self = try Self(name: "", fetchRequest: .withoutOptions()).decoded(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try encodeMembers(to: encoder) }

    mutating func code(_ coder: inout MemberCoder<CodingKeys>) throws {
        try coder.required(&name, .name)
        try coder.required(&fetchRequest, .fetchRequest)
        try coder.optional(&isOptional, .isOptional, or: true)
        try coder.optional(&isSyncable, .isSyncable, or: false)
        try coder.optional(&renamingIdentifier, .renamingIdentifier)
        try coder.optional(&versionHashModifier, .versionHashModifier)
        try coder.optional(&userInfo, .userInfo, or: [:])
        try coder.optional(&notes, .notes, or: [:])
    }
}

extension FetchRequestTemplate: Codable, MemberCoded {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, entityName, predicateFormat, sortDescriptors, resultType, fetchLimit, fetchBatchSize,
            includesSubentities, includesPropertyValues, includesPendingChanges, returnsObjectsAsFaults,
            returnsDistinctResults, notes
    }

    public init(from decoder: any Decoder) throws {
        self = try Self.withoutOptions().decoded(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try encodeMembers(to: encoder) }

    mutating func code(_ coder: inout MemberCoder<CodingKeys>) throws {
        try coder.required(&name, .name)
        try coder.required(&entityName, .entityName)
        try coder.optional(&predicateFormat, .predicateFormat)
        try coder.optional(&sortDescriptors, .sortDescriptors, or: [])
        try coder.optional(&resultType, .resultType, or: .managedObjects)
        try coder.optional(&fetchLimit, .fetchLimit, or: 0)
        try coder.optional(&fetchBatchSize, .fetchBatchSize, or: 0)
        try coder.optional(&includesSubentities, .includesSubentities, or: false)
        try coder.optional(&includesPropertyValues, .includesPropertyValues, or: false)
        try coder.optional(&includesPendingChanges, .includesPendingChanges, or: false)
        try coder.optional(&returnsObjectsAsFaults, .returnsObjectsAsFaults, or: false)
        try coder.optional(&returnsDistinctResults, .returnsDistinctResults, or: false)
        try coder.optional(&notes, .notes, or: [:])
    }
}
