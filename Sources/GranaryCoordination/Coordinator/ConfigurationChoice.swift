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
    func create(_ description: PersistentStoreDescription) throws(GranaryError) -> sending any PersistentStore {
        guard let map else { return try description.location.kind.create(description, schema: schema) }
        return ConfiguredStore(try description.location.kind.create(description, schema: schema), map: map)
    }

    /// Wraps a store of the configuration so that it uses the entity numbers of the whole model.
    package func seen(_ store: any PersistentStore) -> any PersistentStore {
        guard let map else { return store }
        return ConfiguredStore(store, map: map)
    }

    /// Opens the store of a description with the entity numbers of the whole model.
    func open(_ description: PersistentStoreDescription) throws(GranaryError) -> sending any PersistentStore {
        guard let map else { return try StoreLocation.open(description, schema: schema) }
        return ConfiguredStore(try StoreLocation.open(description, schema: schema), map: map)
    }
}

/// Maps entity indexes between a model and a part of it.
struct ConfigurationMap {
    let whole: Schema
    let part: Schema
    /// Indexes in the part, by the index in the whole model; nil for entities outside the part.
    private let inner: [Int?]
    /// Indexes in the whole model, by the index in the part.
    private let outer: [Int]

    init(whole: Schema, part: Schema) {
        self.whole = whole
        self.part = part
        inner = whole.entities.map { part.entity(named: $0.name)?.index }
        outer = part.entities.map { whole.entity(named: $0.name)?.index ?? 0 }
    }

    func inner(_ entity: Int) -> Int? { inner.indices.contains(entity) ? inner[entity] : nil }

    func outer(_ entity: Int) -> Int { outer.indices.contains(entity) ? outer[entity] : 0 }

    /// The entities of a family that are in the part. They are consecutive there too.
    func inner(_ entities: Range<Int>) -> Range<Int>? {
        let found = entities.compactMap { inner($0) }
        guard let first = found.min(), let last = found.max() else { return nil }
        return first..<last + 1
    }

    func inner(_ relationship: Schema.Relationship) -> Schema.Relationship? {
        inner(relationship.owner).flatMap { owner in
            part.entities[owner].relationships.first { $0.name == relationship.name }
        }
    }

    func inner(_ constraint: Schema.UniquenessConstraint) -> Schema.UniquenessConstraint? {
        inner(constraint.owner).flatMap { owner in
            part.entities[owner].uniquenessConstraints.first {
                $0.owner == owner && $0.names == constraint.names
            }
        }
    }

    /// The batch with the part's entity indexes.
    ///
    /// - Throws: ``GranaryError`` with code `refused` for an entity outside the part.
    func inner(_ batch: borrowing RowBatch) throws(GranaryError) -> RowBatch {
        var result = copy batch
        for row in result.rows.indices {
            let entity = Int(result.rows[row].entity)
            guard let index = inner(entity) else { throw missing(entity) }
            result.rows[row].entity = Int32(index)
        }
        for cell in result.cells.indices {
            guard case .reference(let key, let entity) = result.cells[cell] else { continue }
            guard let index = inner(Int(entity)) else { throw missing(Int(entity)) }
            result.cells[cell] = .reference(key: key, entity: Int32(index))
        }
        return result
    }

    func outer(_ batch: borrowing RowBatch) -> RowBatch {
        var result = copy batch
        for row in result.rows.indices { result.rows[row].entity = Int32(outer(Int(result.rows[row].entity))) }
        for cell in result.cells.indices {
            if case .reference(let key, let entity) = result.cells[cell] {
                result.cells[cell] = .reference(key: key, entity: Int32(outer(Int(entity))))
            }
        }
        return result
    }

    func missing(_ entity: Int) -> GranaryError {
        let name = whole.entities.indices.contains(entity) ? whole.entities[entity].name : "number \(entity)"
        return GranaryError(.refused, "the store's configuration does not have the entity \(name)")
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
