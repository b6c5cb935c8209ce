package import GranaryBase
package import GranaryModel

/// The entities of one configuration, resolved as a separate model for the store that holds them.
package struct ConfigurationChoice: Sendable {
    /// The model of the store.
    package let schema: Schema
    /// The indexes of the configuration's entities in the whole model; nil for all entities. Their ancestors are also
    /// in the store's model but have no objects there.
    let entities: Set<Int>?
    private let map: ConfigurationMap?

    /// - Parameter name: nil and `PF_DEFAULT_CONFIGURATION_NAME` mean all entities.
    /// - Throws: ``GranaryError``: `usage` if the model has no such configuration; `refused` if a relationship leads
    ///   out of the configuration, because a store cannot refer to objects in another store.
    package init(_ name: String?, of schema: Schema) throws(GranaryError) {
        guard let name, name != PersistentStoreDescription.defaultConfigurationName else {
            self.schema = schema
            entities = nil
            map = nil
            return
        }
        let configurations = schema.model.configurations
        guard let configuration = configurations.first(where: { $0.name == name }) else {
            let hint = NearestText.hint(for: name, in: configurations.map(\.name))
            throw GranaryError(
                .usage, "the model has no configuration \"\(Diagnostic.shortened(name))\"\(hint)")
        }
        var chosen: Set<Int> = []
        for name in configuration.entityNames {
            // A subentity shares the table of its root entity.
            var next = schema.entity(named: name)
            while let entity = next {
                chosen.insert(entity.index)
                next = entity.superentity.map { schema.entities[$0] }
            }
        }
        try Self.refuseLinksOut(of: chosen, schema, configuration: name)
        let own = Set(configuration.entityNames.compactMap { schema.entity(named: $0)?.index })
        entities = own.count < schema.entities.count ? own : nil
        guard chosen.count < schema.entities.count else {
            self.schema = schema
            map = nil
            return
        }
        let part = try schema.model.part(named: Set(chosen.map { schema.entities[$0].name })).resolved()
        self.schema = part
        map = ConfigurationMap(whole: schema, part: part)
    }

    private static func refuseLinksOut(
        of chosen: Set<Int>, _ schema: Schema, configuration: String
    ) throws(GranaryError) {
        var found: [Diagnostic] = []
        for index in chosen.sorted() {
            let entity = schema.entities[index]
            for relationship in entity.relationships
            where relationship.owner == index && !chosen.contains(relationship.destination) {
                found.append(
                    Diagnostic(
                        .relationshipStores,
                        "leads to \(schema.entities[relationship.destination].name), which is not in the configuration "
                            + "\"\(configuration)\"; use a fetched property or add the entity", entity: entity.name,
                        property: relationship.name))
            }
        }
        guard found.isEmpty else {
            throw GranaryError(
                .refused, "the configuration \"\(configuration)\" cannot be stored separately", diagnostics: found)
        }
    }

    /// Creates the store of a description, unpublished, with the entity numbers of the whole model.
    func create(_ description: PersistentStoreDescription) throws(GranaryError) -> sending any StoreBackend {
        guard let map else { return try description.location.kind.create(description, schema: schema) }
        return ConfiguredStore(try description.location.kind.create(description, schema: schema), map: map)
    }

    /// Wraps a store of the configuration so that it uses the entity numbers of the whole model.
    package func seen(_ store: any StoreBackend) -> any StoreBackend {
        guard let map else { return store }
        return ConfiguredStore(store, map: map)
    }

    /// Opens the store of a description with the entity numbers of the whole model.
    func open(_ description: PersistentStoreDescription) throws(GranaryError) -> sending any StoreBackend {
        guard let map else { return try StoreLocation.open(description, schema: schema) }
        return ConfiguredStore(try StoreLocation.open(description, schema: schema), map: map)
    }
}

extension ManagedObjectModel {
    /// The model of a store that holds only these entities.
    package func part(named names: Set<String>) -> ManagedObjectModel {
        var model = self
        model.entities = model.entities.filter { names.contains($0.name) }
        // A fetched property may search another store. It is not stored and not part of version hashes.
        for index in model.entities.indices {
            model.entities[index].fetchedProperties.removeAll { !names.contains($0.fetchRequest.entityName) }
        }
        model.configurations = []
        model.fetchRequestTemplates = []
        return model
    }
}
