import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// What results depend on besides the values of the fetched objects themselves. If any of this changes, they are
/// fetched again; otherwise only the changed objects are looked at.
struct ResultsDependence {
    /// The entities whose objects are reached over key paths.
    private(set) var reached: [Range<Int>] = []
    /// Whether every change can matter: the request has an offset or a limit, or leaves out unsaved changes, or its
    /// predicate has values of single objects, or the context has a parent, whose changes are not announced here.
    private(set) var isGeneral: Bool
    /// Whether a save can change the results without a change of an object in the context: the request uses a derived
    /// attribute, which the store computes, or leaves out unsaved changes.
    private(set) var isOnSaves: Bool

    init(_ search: FetchSearch, sectionedBy path: String?, schema: Schema) {
        let request = search.request
        isGeneral = request.fetchLimit > 0 || request.fetchOffset > 0 || !request.includesPendingChanges
        if search.context.parent != nil { isGeneral = true }
        isOnSaves = !request.includesPendingChanges
        var paths = request.sortDescriptors.map(\.keyPath)
        if let path { paths.append(path) }
        var hasVariables = false
        for part in search.predicate?.parts ?? [] {
            switch part {
            case .expression(.keyPath(let path)): paths.append(path)
            case .expression(.path(let path, let operand)):
                paths.append(path)
                if case .object = operand { isGeneral = true }
            case .expression(.subquery), .expression(.variable): hasVariables = true
            case .expression(.object(let reference)):
                // After a save the object has another ID.
                if case .temporary = reference.key { isGeneral = true }
            case .expression, .predicate: break
            }
        }
        // The last relationship of a path is compared by its objects' identities, which are a value of the owner.
        // In a subquery another path follows it.
        let followed = paths.flatMap { path in
            let keys = path.split(separator: ".").map(String.init)
            return hasVariables ? keys[...] : keys.dropLast(keys.last == "@count" ? 2 : 1)
        }
        let all = Set(paths.flatMap { $0.split(separator: ".").map(String.init) })
        reach(Set(followed), schema)
        for index in ([search.entities] + reached).joined()
        where schema.entities[index].attributes.contains(where: {
            $0.description.derivationExpression != nil && all.contains($0.name)
        }) { isOnSaves = true }
    }

    private mutating func reach(_ names: Set<String>, _ schema: Schema) {
        guard !names.isEmpty else { return }
        for entity in schema.entities {
            for relationship in entity.relationships where names.contains(relationship.name) {
                let family = schema.entities[relationship.destination].family
                if !reached.contains(family) { reached.append(family) }
            }
        }
    }

    /// Whether the change of objects of an entity can change the place of others in the results.
    func isReached(_ entity: Int) -> Bool { isGeneral || reached.contains { $0.contains(entity) } }
}
