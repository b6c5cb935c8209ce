import GranaryModel

/// Finds out whether a store that no version of a model fits was probably written for a newer version.
struct NewerStore {
    /// What the store has and no version has; nil if nothing shows that the store is newer.
    let evidence: String?

    /// - Parameters:
    ///   - model: the model in the store.
    ///   - nearest: the index of the version that is nearest to the store.
    init(_ store: MigratedStoreFile, _ model: ManagedObjectModel, _ chain: ModelVersionChain, nearest: Int) {
        // A store that is near an older version is older, or of a version between.
        guard nearest == chain.versions.indices.last || chain.versions[nearest].isCurrent else {
            evidence = nil
            return
        }
        evidence = Self.unknownName(model, chain) ?? Self.laterIdentifier(store.identifiers, chain)
    }

    /// The first entity or property with a name that no version has. Renaming identifiers are names of older versions.
    private static func unknownName(_ model: ManagedObjectModel, _ chain: ModelVersionChain) -> String? {
        var entities: Set<String> = []
        var properties: [String: Set<String>] = [:]
        for entity in chain.versions.flatMap(\.model.entities) {
            let names = [entity.name] + [entity.renamingIdentifier].compactMap(\.self)
            entities.formUnion(names)
            let own = self.names(of: entity)
            for name in names { properties[name, default: []].formUnion(own) }
        }
        // Properties can move in their hierarchy.
        let all = properties.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        for entity in model.entities {
            guard entities.contains(entity.name) else { return "the entity \(entity.name)" }
            let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
            if let name = names.first(where: { !all.contains($0) }) { return "\(entity.name).\(name)" }
        }
        return nil
    }

    private static func names(of entity: EntityDescription) -> [String] {
        entity.attributes.flatMap { [$0.name] + [$0.renamingIdentifier].compactMap(\.self) }
            + entity.relationships.flatMap { [$0.name] + [$0.renamingIdentifier].compactMap(\.self) }
    }

    /// An identifier of the store that comes after those of all versions.
    private static func laterIdentifier(_ identifiers: [String], _ chain: ModelVersionChain) -> String? {
        let known = chain.versions.map { $0.model.versionIdentifiers.filter { !$0.isEmpty } }
        guard let own = identifiers.first(where: { !$0.isEmpty }), known.allSatisfy({ !$0.isEmpty }),
            known.joined().allSatisfy({ NaturalOrder.less($0, own) })
        else { return nil }
        return "the version identifier \"\(own)\""
    }
}
