import GranaryCoordination
import GranaryModel

/// The entities that a request passes: the fetched ones, and those at the ends of the relationships in its key paths.
struct FetchScope {
    private var families: [Range<Int>]
    /// Whether the request names a transient property, which no store has.
    private(set) var usesTransients = false

    init(_ entities: Range<Int>, predicate: ObjectPredicate?, order: [ObjectSortDescriptor], schema: Schema) {
        families = [entities]
        var paths = order.map(\.keyPath)
        for part in predicate?.parts ?? [] {
            switch part {
            case .expression(.keyPath(let path)), .expression(.path(let path, _)): paths.append(path)
            case .expression, .predicate: break
            }
        }
        guard !paths.isEmpty else { return }
        // The start of a path in a subquery is not known here, so a key may be a relationship of any entity.
        let keys = Set(paths.flatMap { $0.split(separator: ".").map(String.init) })
        for entity in schema.entities {
            for relationship in entity.relationships where keys.contains(relationship.name) {
                let family = schema.entities[relationship.destination].family
                if !families.contains(family) { families.append(family) }
            }
        }
        for index in families.joined() {
            let entity = schema.entities[index]
            let isTransient =
                entity.attributes.contains { !$0.isPersistent && keys.contains($0.name) }
                || entity.relationships.contains { !$0.isPersistent && keys.contains($0.name) }
            if isTransient { usesTransients = true }
        }
    }

    /// Whether the context has unsaved changes that can change the result.
    func hasChanges(in context: ManagedObjectContext) -> Bool {
        guard context.hasChanges else { return false }
        let isConcerned = { (object: ManagedObject) in families.contains { $0.contains(object.layout.index) } }
        return context.inserted.contains(where: isConcerned) || context.updated.contains(where: isConcerned)
            || context.deleted.contains(where: isConcerned)
    }
}
