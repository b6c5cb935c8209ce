extension EntityDescription: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, managedObjectClassName, isAbstract, superentityName, attributes, relationships, fetchedProperties,
            uniquenessConstraints, fetchIndexes, compoundIndexes, codeGenerationType, isSyncable, renamingIdentifier,
            versionHashModifier, userInfo, notes
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(name: try container.decode(String.self, forKey: .name))
        managedObjectClassName = try container.decodeIfPresent(String.self, forKey: .managedObjectClassName)
        isAbstract = try container.value(.isAbstract, or: false)
        superentityName = try container.decodeIfPresent(String.self, forKey: .superentityName)
        attributes = try container.value(.attributes, or: [])
        relationships = try container.value(.relationships, or: [])
        fetchedProperties = try container.value(.fetchedProperties, or: [])
        uniquenessConstraints = try container.value(.uniquenessConstraints, or: [])
        fetchIndexes = try container.value(.fetchIndexes, or: [])
        compoundIndexes = try container.value(.compoundIndexes, or: [])
        codeGenerationType = try container.decodeIfPresent(String.self, forKey: .codeGenerationType)
        isSyncable = try container.value(.isSyncable, or: false)
        renamingIdentifier = try container.decodeIfPresent(String.self, forKey: .renamingIdentifier)
        versionHashModifier = try container.decodeIfPresent(String.self, forKey: .versionHashModifier)
        userInfo = try container.value(.userInfo, or: [:])
        notes = try container.value(.notes, or: [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(managedObjectClassName, forKey: .managedObjectClassName)
        try container.value(isAbstract, .isAbstract, unless: false)
        try container.encodeIfPresent(superentityName, forKey: .superentityName)
        try container.value(attributes, .attributes, unless: [])
        try container.value(relationships, .relationships, unless: [])
        try container.value(fetchedProperties, .fetchedProperties, unless: [])
        try container.value(uniquenessConstraints, .uniquenessConstraints, unless: [])
        try container.value(fetchIndexes, .fetchIndexes, unless: [])
        try container.value(compoundIndexes, .compoundIndexes, unless: [])
        try container.encodeIfPresent(codeGenerationType, forKey: .codeGenerationType)
        try container.value(isSyncable, .isSyncable, unless: false)
        try container.encodeIfPresent(renamingIdentifier, forKey: .renamingIdentifier)
        try container.encodeIfPresent(versionHashModifier, forKey: .versionHashModifier)
        try container.value(userInfo, .userInfo, unless: [:])
        try container.value(notes, .notes, unless: [:])
    }
}

extension FetchIndexDescription: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, elements, partialIndexPredicate, notes
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            elements: try container.decode([Element].self, forKey: .elements))
        partialIndexPredicate = try container.decodeIfPresent(String.self, forKey: .partialIndexPredicate)
        notes = try container.value(.notes, or: [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(elements, forKey: .elements)
        try container.encodeIfPresent(partialIndexPredicate, forKey: .partialIndexPredicate)
        try container.value(notes, .notes, unless: [:])
    }
}

extension FetchIndexDescription.Element: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case propertyName, expression, kind, isAscending, notes
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(propertyName: nil)
        propertyName = try container.decodeIfPresent(String.self, forKey: .propertyName)
        expression = try container.decodeIfPresent(String.self, forKey: .expression)
        kind = try container.value(.kind, or: .binary)
        isAscending = try container.value(.isAscending, or: true)
        notes = try container.value(.notes, or: [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(propertyName, forKey: .propertyName)
        try container.encodeIfPresent(expression, forKey: .expression)
        try container.value(kind, .kind, unless: .binary)
        try container.value(isAscending, .isAscending, unless: true)
        try container.value(notes, .notes, unless: [:])
    }
}
