extension ManagedObjectModel: Codable, MemberCoded {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case entities, composites, configurations, fetchRequestTemplates, versionIdentifiers, notes
    }

    public init(from decoder: any Decoder) throws {
        // Exports of stores without a model contain this key, which means that the model was inferred from the tables.
        self = try Self().decoded(from: decoder, ignoring: ["inferred"])
    }

    public func encode(to encoder: any Encoder) throws { try encodeMembers(to: encoder) }

    mutating func code(_ coder: inout MemberCoder<CodingKeys>) throws {
        try coder.optional(&entities, .entities, or: [])
        try coder.optional(&composites, .composites, or: [])
        try coder.optional(&configurations, .configurations, or: [])
        try coder.optional(&fetchRequestTemplates, .fetchRequestTemplates, or: [])
        try coder.optional(&versionIdentifiers, .versionIdentifiers, or: [])
        try coder.optional(&notes, .notes, or: [:])
    }
}

extension CompositeDescription: Codable, MemberCoded {
    enum CodingKeys: String, CodingKey, CaseIterable { case name, elements, notes }

    public init(from decoder: any Decoder) throws {
        self = try Self(name: "", elements: []).decoded(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try encodeMembers(to: encoder) }

    mutating func code(_ coder: inout MemberCoder<CodingKeys>) throws {
        try coder.required(&name, .name)
        try coder.required(&elements, .elements)
        try coder.optional(&notes, .notes, or: [:])
    }
}

extension ConfigurationDescription: Codable, MemberCoded {
    enum CodingKeys: String, CodingKey, CaseIterable { case name, entityNames, notes }

    public init(from decoder: any Decoder) throws {
        self = try Self(name: "", entityNames: []).decoded(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try encodeMembers(to: encoder) }

    mutating func code(_ coder: inout MemberCoder<CodingKeys>) throws {
        try coder.required(&name, .name)
        try coder.required(&entityNames, .entityNames)
        try coder.optional(&notes, .notes, or: [:])
    }
}
