extension ManagedObjectModel: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case entities, composites, configurations, fetchRequestTemplates, versionIdentifiers, notes
    }

    public init(from decoder: any Decoder) throws {
        // Exports of stores without a model have this key; it says that the model was inferred from the tables.
        try decoder.refuseUnknownKeys(CodingKeys.self, but: ["inferred"])
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        entities = try container.value(.entities, or: [])
        composites = try container.value(.composites, or: [])
        configurations = try container.value(.configurations, or: [])
        fetchRequestTemplates = try container.value(.fetchRequestTemplates, or: [])
        versionIdentifiers = try container.value(.versionIdentifiers, or: [])
        notes = try container.value(.notes, or: [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.value(entities, .entities, unless: [])
        try container.value(composites, .composites, unless: [])
        try container.value(configurations, .configurations, unless: [])
        try container.value(fetchRequestTemplates, .fetchRequestTemplates, unless: [])
        try container.value(versionIdentifiers, .versionIdentifiers, unless: [])
        try container.value(notes, .notes, unless: [:])
    }
}

extension CompositeDescription: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, elements, notes
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            elements: try container.decode([AttributeDescription].self, forKey: .elements))
        notes = try container.value(.notes, or: [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(elements, forKey: .elements)
        try container.value(notes, .notes, unless: [:])
    }
}

extension ConfigurationDescription: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, entityNames, notes
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            entityNames: try container.decode([String].self, forKey: .entityNames))
        notes = try container.value(.notes, or: [:])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(entityNames, forKey: .entityNames)
        try container.value(notes, .notes, unless: [:])
    }
}
