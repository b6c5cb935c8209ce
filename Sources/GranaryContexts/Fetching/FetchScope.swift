import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The entities that a request reads: the fetched ones, and the destinations of the relationships in its key paths.
struct FetchScope {
    /// The entities of the fetched objects.
    private let entities: Range<Int>
    /// The families at the ends of the relationships.
    private var related: [Range<Int>] = []
    /// Whether the request names a transient property, which no store has.
    private(set) var usesTransients = false
    /// Whether the predicate refers to objects in a way that stores cannot follow: to new objects, or to values of
    /// single objects.
    private var hasReferences = false

    init(_ entities: Range<Int>, predicate: ObjectPredicate?, order: [ObjectSortDescriptor], schema: Schema) {
        self.entities = entities
        var paths = order.map(\.keyPath)
        for part in predicate?.parts ?? [] {
            switch part {
            case .expression(.keyPath(let path)): paths.append(path)
            case .expression(.path(let path, let operand)):
                paths.append(path)
                if case .object = operand { hasReferences = true }
            case .expression(.object(let reference)):
                if case .temporary = reference.key { hasReferences = true }
            case .expression, .predicate: break
            }
        }
        guard !paths.isEmpty else { return }
        // The start of a path in a subquery is not known here, so a key may be a relationship of any entity.
        let keys = Set(paths.flatMap { $0.split(separator: ".").map(String.init) })
        for entity in schema.entities {
            for relationship in entity.relationships where keys.contains(relationship.name) {
                let family = schema.entities[relationship.destination].family
                if !related.contains(family) { related.append(family) }
            }
        }
        for index in ([entities] + related).joined() {
            let entity = schema.entities[index]
            let isTransient =
                entity.attributes.contains { attribute in
                    // The name of a composite's element contains points.
                    !attribute.isPersistent
                        && attribute.name.split(separator: ".").allSatisfy { keys.contains(String($0)) }
                }
                || entity.relationships.contains { !$0.isPersistent && keys.contains($0.name) }
            if isTransient { usesTransients = true }
        }
    }

    /// Unsaved changes that can change the result.
    enum Changes {
        case none
        /// Changes of fetched objects, which no other object's key paths reach.
        case own
        /// Changes of objects that key paths reach.
        case reached
    }

    /// Returns which unsaved changes of the context can change the result.
    func changes(in context: ManagedObjectContext) -> Changes {
        let changed = [context.inserted, context.updated, context.deleted]
        let isReached = { (object: ManagedObject) in related.contains { $0.contains(object.layout.index) } }
        if !related.isEmpty, changed.contains(where: { $0.contains(where: isReached) }) { return .reached }
        guard changed.contains(where: { $0.contains { entities.contains($0.layout.index) } }) else { return .none }
        return hasReferences ? .reached : .own
    }
}
