import GranaryBase
package import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranarySeeding

/// The objects of a container's stores as readable text, the same for the same objects.
package enum StoreSnapshot {
    /// The maximum size in bytes.
    static let maximumBytes = 16 << 20

    /// Returns the text of all stored objects. Unsaved changes of contexts are not part of it.
    ///
    /// ```
    /// Injury "Burn"
    ///   key: 0
    ///   name: "Burn"
    ///
    /// Patient/p1
    ///   injury: "Burn"
    ///   name: "Ann"
    /// ```
    ///
    /// An object begins with its entity and its natural key, or with its `$id`. The objects of an entity are sorted by the
    /// UTF-8 text of their keys, then by their primary keys. References are keys of one attribute, otherwise `$id`; all are
    /// `$id` if a referenced object has the key NULL. An object with a key that is referred to by `$id` has a line with it.
    /// NULL and empty lists are omitted, and also what exports omit: derived attributes and the sides of relationships that
    /// their inverses determine.
    ///
    /// - Parameter ignored: properties that are omitted, as `Patient.admitted`. Subentities omit them too.
    /// - Throws: ``GranaryError``: `usage` for an ignored property that the model does not have; `refused` if the text is
    ///   too large; as reading throws.
    package static func text(of container: PersistentContainer, ignoring ignored: [String] = []) async throws -> String
    { try await text(of: container, ignoring: ignored, maximumBytes: maximumBytes) }

    static func text(
        of container: PersistentContainer, ignoring ignored: [String] = [], maximumBytes: Int
    ) async throws -> String {
        try await InBackground.run { cancellation in
            try container.withStore(forReading: true) { store in
                var plan = try SnapshotPlan(store.schema, ignoring: ignored)
                plan.maximumBytes = maximumBytes
                var options = ExportOptions()
                options.identifiers = .always
                // A reference by an ignored key would show its value.
                if plan.ignoresKey { options.reference = .id }
                options.cancellation = cancellation
                do { return try text(of: store, plan, options) } catch let error as GranaryError {
                    // A reference to an object whose key is NULL. Then all references are by id.
                    guard options.reference == nil, error.diagnostics.first?.code == .valueMissing else { throw error }
                    options.reference = .id
                    return try text(of: store, plan, options)
                }
            }
        }
    }

    private static func text(
        of store: any PersistentStore, _ plan: SnapshotPlan, _ options: ExportOptions
    ) throws -> String {
        var plan = plan
        plan.showIdentifiers(store.schema, options.reference)
        let writer = SnapshotWriter(plan)
        try Exporter(options: options).run(store, into: writer)
        return writer.text
    }
}

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
