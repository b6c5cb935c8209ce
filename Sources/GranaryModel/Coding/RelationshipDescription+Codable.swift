extension RelationshipDescription: Codable, MemberCoded {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, destinationEntityName, inverseName, isOptional, isTransient, minCount, maxCount, isOrdered,
            deleteRule, isIndexed, isIndexedBySpotlight, isStoredInExternalRecord, isSyncable, renamingIdentifier,
            versionHashModifier, userInfo, notes
    }

    public init(from decoder: any Decoder) throws {
        self = try Self(name: "", destination: "").decoded(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try encodeMembers(to: encoder) }

    mutating func code(_ coder: inout MemberCoder<CodingKeys>) throws {
        try coder.required(&name, .name)
        try coder.required(&destinationEntityName, .destinationEntityName)
        try coder.optional(&inverseName, .inverseName)
        try coder.optional(&isOptional, .isOptional, or: false)
        try coder.optional(&isTransient, .isTransient, or: false)
        try coder.optional(&minCount, .minCount, or: 0)
        try coder.optional(&maxCount, .maxCount, or: 1)
        try coder.optional(&isOrdered, .isOrdered, or: false)
        try coder.optional(&deleteRule, .deleteRule, or: .nullify)
        try coder.optional(&isIndexed, .isIndexed, or: false)
        try coder.optional(&isIndexedBySpotlight, .isIndexedBySpotlight, or: false)
        try coder.optional(&isStoredInExternalRecord, .isStoredInExternalRecord, or: false)
        try coder.optional(&isSyncable, .isSyncable, or: false)
        try coder.optional(&renamingIdentifier, .renamingIdentifier)
        try coder.optional(&versionHashModifier, .versionHashModifier)
        try coder.optional(&userInfo, .userInfo, or: [:])
        try coder.optional(&notes, .notes, or: [:])
    }
}
