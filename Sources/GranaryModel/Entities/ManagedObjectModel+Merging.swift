public import GranaryBase

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
        for model in models {
            Self.merge(model.entities, into: &merged.entities, name: \.name, what: "entity", &collector)
            Self.merge(model.composites, into: &merged.composites, name: \.name, what: "composite", &collector)
            Self.merge(
                model.fetchRequestTemplates, into: &merged.fetchRequestTemplates, name: \.name, what: "fetch request",
                &collector)
            for configuration in model.configurations {
                if let index = merged.configurations.firstIndex(where: { $0.name == configuration.name }) {
                    let known = Set(merged.configurations[index].entityNames)
                    let more = configuration.entityNames.filter { !known.contains($0) }
                    merged.configurations[index].entityNames.append(contentsOf: more)
                } else {
                    merged.configurations.append(configuration)
                }
            }
            for identifier in model.versionIdentifiers where !merged.versionIdentifiers.contains(identifier) {
                merged.versionIdentifiers.append(identifier)
            }
            merged.notes.merge(model.notes) { first, _ in first }
        }
        try collector.throwIfAnyError("the models do not fit together")
        self = merged
    }

    private static func merge<Item: Equatable>(
        _ items: [Item], into merged: inout [Item], name: (Item) -> String, what: String,
        _ collector: inout DiagnosticCollector
    ) {
        var known = Dictionary(merged.map { (name($0), $0) }) { first, _ in first }
        for item in items {
            guard let twin = known[name(item)] else {
                known[name(item)] = item
                merged.append(item)
                continue
            }
            if twin != item {
                collector.add(
                    Diagnostic(
                        .modelConflict, "two models define the \(what) \"\(name(item))\" differently",
                        entity: what == "entity" ? name(item) : nil))
            }
        }
    }
}
