import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryExport
import GranaryModel
import GranaryRecords

/// What a snapshot needs to know of each entity.
struct SnapshotPlan {
    struct Entity {
        /// The names of the attributes of the natural key; empty if there is none.
        var key: [String] = []
        var ignored: Set<String> = []
        /// The ordered relationships, whose lists are not sorted.
        var ordered: Set<String> = []
        /// Whether objects are referred to by `$id` although they have a key.
        var showsIdentifier = false
    }

    var maximumBytes = StoreSnapshot.maximumBytes
    private(set) var entities: [String: Entity] = [:]
    /// Whether an attribute of a natural key is ignored.
    private(set) var ignoresKey = false

    init(_ schema: Schema, ignoring ignored: [String]) throws(GranaryError) {
        var ignoredNames = [Set<String>](repeating: [], count: schema.entities.count)
        for path in ignored {
            let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
            guard parts.count == 2, let entity = schema.entity(named: parts[0]),
                entity.property(named: parts[1]) != nil
            else {
                throw GranaryError(
                    .usage, "the model has no property \"\(path)\" to ignore; name it as Entity.property")
            }
            for index in entity.family { ignoredNames[index].insert(parts[1]) }
        }
        for entity in schema.entities {
            var plan = Entity(ignored: ignoredNames[entity.index])
            let key = NaturalKey(of: entity, allowsSeveral: true)?.attributes.map(\.name) ?? []
            if plan.ignored.isDisjoint(with: key) { plan.key = key } else { ignoresKey = true }
            plan.ordered = Set(entity.relationships.filter(\.description.isOrdered).map(\.name))
            entities[entity.name] = plan
        }
    }

    /// Marks the entities to whose objects the export refers by another name than their keys.
    mutating func showIdentifiers(_ schema: Schema, _ style: ExportOptions.ReferenceStyle?) {
        for entity in schema.entities where !entity.isAbstract {
            for relationship in RecordTable.carriedRelationships(of: entity, schema)
            where !(entities[entity.name]?.ignored.contains(relationship.name) ?? false) {
                let destination = schema.entities[relationship.destination]
                // The rule of the export for its option `reference`.
                let key = style == .id ? nil : NaturalKey(of: destination, allowsSeveral: false)
                let names = key?.attributes.map(\.name)
                for index in destination.family {
                    let name = schema.entities[index].name
                    if entities[name]?.key != names { entities[name]?.showsIdentifier = true }
                }
            }
        }
    }
}
