extension EntityDescription: Codable, MemberCoded {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, managedObjectClassName, isAbstract, superentityName, attributes, relationships, fetchedProperties,
            uniquenessConstraints, fetchIndexes, compoundIndexes, codeGenerationType, isSyncable, renamingIdentifier,
            versionHashModifier, userInfo, notes
    }

    public init(from decoder: any Decoder) throws {
        self = try Self(name: "").decoded(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try encodeMembers(to: encoder) }

    mutating func code(_ coder: inout MemberCoder<CodingKeys>) throws {
        try coder.required(&name, .name)
        try coder.optional(&managedObjectClassName, .managedObjectClassName)
        try coder.optional(&isAbstract, .isAbstract, or: false)
        try coder.optional(&superentityName, .superentityName)
        try coder.optional(&attributes, .attributes, or: [])
        try coder.optional(&relationships, .relationships, or: [])
        try coder.optional(&fetchedProperties, .fetchedProperties, or: [])
        try coder.optional(&uniquenessConstraints, .uniquenessConstraints, or: [])
        try coder.optional(&fetchIndexes, .fetchIndexes, or: [])
        try coder.optional(&compoundIndexes, .compoundIndexes, or: [])
        try coder.optional(&codeGenerationType, .codeGenerationType)
        try coder.optional(&isSyncable, .isSyncable, or: false)
        try coder.optional(&renamingIdentifier, .renamingIdentifier)
        try coder.optional(&versionHashModifier, .versionHashModifier)
        try coder.optional(&userInfo, .userInfo, or: [:])
        try coder.optional(&notes, .notes, or: [:])
    }
}

extension FetchIndexDescription: Codable, MemberCoded {
    enum CodingKeys: String, CodingKey, CaseIterable { case name, elements, partialIndexPredicate, notes }

    public init(from decoder: any Decoder) throws {
        self = try Self(name: "", elements: []).decoded(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try encodeMembers(to: encoder) }

    mutating func code(_ coder: inout MemberCoder<CodingKeys>) throws {
        try coder.required(&name, .name)
        try coder.required(&elements, .elements)
        try coder.optional(&partialIndexPredicate, .partialIndexPredicate)
        try coder.optional(&notes, .notes, or: [:])
    }
}

extension FetchIndexDescription.Element: Codable, MemberCoded {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case propertyName, expression, expressionType, kind, isAscending, notes
    }

    public init(from decoder: any Decoder) throws {
        self = try Self(propertyName: nil).decoded(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try encodeMembers(to: encoder) }

    mutating func code(_ coder: inout MemberCoder<CodingKeys>) throws {
        try coder.optional(&propertyName, .propertyName)
        try coder.optional(&expression, .expression)
        try coder.optional(&expressionType, .expressionType)
        try coder.optional(&kind, .kind, or: .binary)
        try coder.optional(&isAscending, .isAscending, or: true)
        try coder.optional(&notes, .notes, or: [:])
    }
}
