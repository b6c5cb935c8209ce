/// A Core Data model: entities, and what belongs to all of them. (`NSManagedObjectModel`)
///
/// A plain value: built in code, read from an `.xcdatamodeld` or an archive, changed freely. ``resolved()`` checks
/// it as a whole and makes the ``Schema`` that everything else works on.
public struct ManagedObjectModel: Sendable, Hashable {
    public var entities: [EntityDescription] = []
    /// Named structures that Composite attributes refer to.
    public var composites: [CompositeDescription] = []
    public var configurations: [ConfigurationDescription] = []
    public var fetchRequestTemplates: [FetchRequestTemplate] = []
    /// The user's own names for this version.
    public var versionIdentifiers: [String] = []
    /// What the source said that Granary has no use for (the editor's version and the like); kept, and written again.
    public var notes: [String: String] = [:]

    public init(entities: [EntityDescription] = []) {
        self.entities = entities
    }

    /// The entity of that name; nil for none.
    public func entity(named name: String) -> EntityDescription? {
        entities.first { $0.name == name }
    }
}

/// A named structure of attributes. (The type of an `NSCompositeAttributeDescription`.)
public struct CompositeDescription: Sendable, Hashable {
    public var name: String
    public var elements: [AttributeDescription]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    public init(name: String, elements: [AttributeDescription]) {
        self.name = name
        self.elements = elements
    }
}

/// A named choice of entities, for a store that holds only these.
public struct ConfigurationDescription: Sendable, Hashable {
    public var name: String
    public var entityNames: [String]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    public init(name: String, entityNames: [String]) {
        self.name = name
        self.entityNames = entityNames
    }
}
