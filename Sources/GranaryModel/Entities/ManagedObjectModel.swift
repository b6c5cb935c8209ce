public import GranaryBase

/// A Core Data model: entities, configurations and fetch request templates. (`NSManagedObjectModel`)
///
/// It is a plain value that is built in code, or read from an `.xcdatamodeld` or an archive. ``resolved()`` checks it
/// as a whole and returns the ``Schema`` that all other types work with.
public struct ManagedObjectModel: Sendable, Hashable {
    /// All entities, in any order; a ``Schema`` orders them by their names. (`NSManagedObjectModel.entities`)
    public var entities: [EntityDescription] = []
    /// The composites that Composite attributes refer to.
    public var composites: [CompositeDescription] = []
    /// The configurations, with unique names. (`NSManagedObjectModel.configurations`)
    public var configurations: [ConfigurationDescription] = []
    /// The fetch request templates, with unique names. (`NSManagedObjectModel.fetchRequestTemplatesByName`)
    public var fetchRequestTemplates: [FetchRequestTemplate] = []
    /// The user-defined names of this version.
    public var versionIdentifiers: [String] = []
    /// Data of the source that Granary does not interpret, such as the editor's version. It is kept and written back.
    public var notes: [String: String] = [:]

    /// A model of entities. It is not checked; ``resolved()`` does that.
    public init(entities: [EntityDescription] = []) {
        self.entities = entities
    }

    /// The entity with a name; nil if there is none.
    public func entity(named name: String) -> EntityDescription? {
        entities.first { $0.name == name }
    }
}

extension ManagedObjectModel {
    /// Merges models into one, like `NSManagedObjectModel(byMerging:)`.
    ///
    /// Entities, composites and fetch requests of the same name must be equal; configurations of the same name are
    /// joined. All are ordered by their first occurrence; of equal notes the first one is used. The order of the models
    /// has no effect on schema, hashes and stores.
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
        // Duplicates inside one model are kept; ``ModelCheck`` reports them.
        let known = Dictionary(merged.map { (name($0), $0) }) { first, _ in first }
        for item in items {
            guard let other = known[name(item)] else {
                merged.append(item)
                continue
            }
            if meaning(other) != meaning(item) {
                collector.add(
                    Diagnostic(
                        .modelConflict, "two models define the \(what) \"\(name(item))\" differently",
                        entity: what == "entity" ? name(item) : nil))
            }
        }
    }
}

// Notes contain editor data, so they do not count when entities are compared.

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
