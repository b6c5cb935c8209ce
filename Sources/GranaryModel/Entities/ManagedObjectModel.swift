public import GranaryBase

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

extension ManagedObjectModel {
    /// Merges models into one, as `NSManagedObjectModel(byMerging:)`.
    ///
    /// Entities, composites and fetch requests of the same name must be equal; configurations of the same name are
    /// joined. All stand in the order in which the models have them, each where it comes first; a note that two models
    /// have is the first one's. The order of the models changes no schema, no hash and no store.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic (`model.conflict`) for every name that two
    ///   models define differently.
    public init(merging models: [ManagedObjectModel]) throws(GranaryError) {
        var merged = ManagedObjectModel()
        var collector = DiagnosticCollector()
        var configurations: [String: Int] = [:]
        var identifiers: Set<String> = []
        for model in models {
            Self.merge(
                model.entities, into: &merged.entities, name: \.name, meaning: \.withoutNotes, what: "entity",
                &collector)
            Self.merge(
                model.composites, into: &merged.composites, name: \.name, meaning: \.withoutNotes, what: "composite",
                &collector)
            Self.merge(
                model.fetchRequestTemplates, into: &merged.fetchRequestTemplates, name: \.name,
                meaning: \.withoutNotes, what: "fetch request", &collector)
            for configuration in model.configurations {
                guard let index = configurations[configuration.name] else {
                    configurations[configuration.name] = merged.configurations.count
                    merged.configurations.append(configuration)
                    continue
                }
                let known = Set(merged.configurations[index].entityNames)
                let more = configuration.entityNames.filter { !known.contains($0) }
                merged.configurations[index].entityNames.append(contentsOf: more)
            }
            for identifier in model.versionIdentifiers where identifiers.insert(identifier).inserted {
                merged.versionIdentifiers.append(identifier)
            }
            merged.notes.merge(model.notes) { first, _ in first }
        }
        try collector.throwIfAnyError("the models do not fit together")
        self = merged
    }

    private static func merge<Item: Equatable>(
        _ items: [Item], into merged: inout [Item], name: (Item) -> String, meaning: (Item) -> Item, what: String,
        _ collector: inout DiagnosticCollector
    ) {
        // What one model says twice stays twice: the check of the whole names it.
        let known = Dictionary(merged.map { (name($0), $0) }) { first, _ in first }
        for item in items {
            guard let twin = known[name(item)] else {
                merged.append(item)
                continue
            }
            if meaning(twin) != meaning(item) {
                collector.add(
                    Diagnostic(
                        .modelConflict, "two models define the \(what) \"\(name(item))\" differently",
                        entity: what == "entity" ? name(item) : nil))
            }
        }
    }
}

// Notes hold what editors write for themselves; two spellings of one entity are still that entity.

extension EntityDescription {
    fileprivate var withoutNotes: EntityDescription {
        var copy = self
        copy.notes = [:]
        for index in copy.attributes.indices { copy.attributes[index].notes = [:] }
        for index in copy.relationships.indices { copy.relationships[index].notes = [:] }
        for index in copy.fetchedProperties.indices {
            copy.fetchedProperties[index].notes = [:]
            copy.fetchedProperties[index].fetchRequest.notes = [:]
        }
        for index in copy.fetchIndexes.indices {
            copy.fetchIndexes[index].notes = [:]
            for element in copy.fetchIndexes[index].elements.indices {
                copy.fetchIndexes[index].elements[element].notes = [:]
            }
        }
        return copy
    }
}

extension CompositeDescription {
    fileprivate var withoutNotes: CompositeDescription {
        var copy = self
        copy.notes = [:]
        for index in copy.elements.indices { copy.elements[index].notes = [:] }
        return copy
    }
}

extension FetchRequestTemplate {
    fileprivate var withoutNotes: FetchRequestTemplate {
        var copy = self
        copy.notes = [:]
        return copy
    }
}
