/// A Core Data model: entities, and what belongs to all of them. (`NSManagedObjectModel`)
///
/// A plain value: built in code, read from an `.xcdatamodeld` or an archive, changed freely. ``resolved()`` checks
/// it as a whole and makes the ``Schema`` that everything else works on.
public struct ManagedObjectModel: Sendable, Hashable {
    /// All entities, in any order; a ``Schema`` numbers them by their names. (`NSManagedObjectModel.entities`)
    public var entities: [EntityDescription] = []
    /// Named structures that Composite attributes refer to.
    public var composites: [CompositeDescription] = []
    /// Named choices of entities; each name occurs once. (`NSManagedObjectModel.configurations`)
    public var configurations: [ConfigurationDescription] = []
    /// Named fetch requests; each name occurs once. (`NSManagedObjectModel.fetchRequestTemplatesByName`)
    public var fetchRequestTemplates: [FetchRequestTemplate] = []
    /// The user's own names for this version.
    public var versionIdentifiers: [String] = []
    /// What the source said that Granary has no use for (the editor's version and the like); kept, and written again.
    public var notes: [String: String] = [:]

    /// A model of these entities, with nothing else in it. It is not checked; ``resolved()`` does that.
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
    /// What ``AttributeDescription/compositeName`` refers to. Not part of the version hash.
    public var name: String
    /// What it consists of; an element may be a composite itself. (`NSCompositeAttributeDescription.elements`)
    public var elements: [AttributeDescription]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    /// A composite of these elements.
    public init(name: String, elements: [AttributeDescription]) {
        self.name = name
        self.elements = elements
    }
}

/// A named choice of entities, for a store that holds only these.
public struct ConfigurationDescription: Sendable, Hashable {
    /// Occurs once in a model.
    public var name: String
    /// The entities that belong to it; each is one of the model.
    public var entityNames: [String]
    /// What the source said that Granary has no use for; kept, and written again.
    public var notes: [String: String] = [:]

    /// A configuration of these entities.
    public init(name: String, entityNames: [String]) {
        self.name = name
        self.entityNames = entityNames
    }
}
