import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import GranaryRecords

/// The selections and the relationships of each entity, checked against the model.
struct SubsetPlan: Sendable {
    /// A to-one relationship that is followed.
    struct Reference: Sendable {
        let slot: Int
        let name: String
        /// The root of the destination's hierarchy.
        let root: Int
    }

    let schema: Schema
    let searches: [StoreSearch]
    /// For each search, which of its objects are chosen.
    let choices: [SubsetChoice]
    let followings: [SubsetFollowing]
    /// The followed to-one relationships, by the index of the entity.
    let references: [[Reference]]
    /// The attributes whose values name objects of other entities.
    let allVirtualReferences: [VirtualReference]
    /// These by the index of the entity.
    let virtualReferences: [[VirtualReference]]
    /// The to-many relationships of which each object needs members, by the index of the entity.
    private(set) var required: [[SubsetDemand]]
    /// The to-many relationships that may be empty and need a number of members otherwise.
    let conditional: [[SubsetDemand]]
    /// The relationships to small tables, all members of which are taken.
    private(set) var smallTables: [SmallTable] = []
    private let smallTableLimit: Int

    /// The indexes of the entities whose objects need members.
    var counted: [Int] {
        schema.entities.indices.filter { !required[$0].isEmpty || !conditional[$0].isEmpty }
    }
    /// The stored to-many relationships that the depth follows.
    let neighbours: [[Schema.Relationship]]

    /// - Throws: ``GranaryError`` with code `usage`.
    init(schema: Schema, options: SubsetOptions) throws(GranaryError) {
        guard !options.selections.isEmpty else {
            throw GranaryError(.usage, "no objects are chosen; name an entity, or an entity and a predicate")
        }
        guard options.depth >= 0 else { throw GranaryError(.usage, "the depth \(options.depth) is negative") }
        self.schema = schema
        var searches: [StoreSearch] = []
        for selection in options.selections { searches.append(try Self.search(selection, schema)) }
        self.searches = searches
        choices = options.selections.map { SubsetChoice(sample: $0.sample, seed: options.randomSeed ?? 0) }
        var followings: [SubsetFollowing] = []
        for follow in options.followed { followings.append(try SubsetFollowing(follow, schema)) }
        self.followings = followings
        let cut = try Self.unfollowed(options.unfollowedRelationships, schema)
        references = schema.entities.map { entity in
            entity.relationships.filter { $0.isPersistent && !$0.isToMany }.filter { relationship in
                !(cut[entity.index]?.contains(relationship.slot) ?? false)
            }.map { Reference(slot: $0.slot, name: $0.name, root: schema.entities[$0.destination].root) }
        }
        let toManys = schema.entities.map { $0.relationships.filter { $0.isPersistent && $0.isToMany } }
        neighbours = toManys.map { relationships in
            relationships.filter { one in
                !followings.contains { $0.relationship.owner == one.owner && $0.relationship.slot == one.slot }
            }
        }
        required = toManys.map {
            $0.filter { !$0.description.isOptional && $0.description.minCount > 0 }.map(SubsetDemand.init(minimumOf:))
        }
        conditional = toManys.map {
            $0.filter { $0.description.isOptional && $0.description.minCount > 1 }.map(SubsetDemand.init(minimumOf:))
        }
        var virtual: [VirtualReference] = []
        for (index, reference) in options.references.enumerated() {
            virtual.append(try VirtualReference(reference, index: index, schema))
        }
        allVirtualReferences = virtual
        virtualReferences = schema.entities.indices.map { entity in virtual.filter { $0.owners.contains(entity) } }
        smallTableLimit = options.smallTableLimit
    }

    /// Finds the small tables, which depends on the number of objects in the store.
    mutating func findSmallTables(_ store: any StoreBackend) throws {
        guard smallTableLimit > 0 else { return }
        for entity in schema.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isPersistent && isManyToMany(relationship) {
                guard neighbours[entity.index].contains(where: { $0.slot == relationship.slot }),
                    let table = try SmallTable(relationship, schema, limit: smallTableLimit, store)
                else { continue }
                smallTables.append(table)
                for owner in entity.family { required[owner].append(SubsetDemand(allOf: relationship)) }
            }
        }
    }

    private func isManyToMany(_ relationship: Schema.Relationship) -> Bool {
        guard relationship.isToMany, let inverse = relationship.inverse else { return false }
        return schema.entities[inverse.owner].relationships[inverse.relationship].isToMany
    }

    private static func search(
        _ selection: SubsetOptions.Selection, _ schema: Schema
    ) throws(GranaryError) -> StoreSearch {
        guard let entity = schema.entity(named: selection.entity) else {
            throw schema.unknownEntity(selection.entity)
        }
        switch selection.sample {
        case .percent(let share)? where !(0...100).contains(share):
            throw GranaryError(.usage, "\(entity.name): a sample of \(share) % is not from 0 to 100 %")
        case .count(let count)? where count < 0:
            throw GranaryError(.usage, "\(entity.name): a sample of \(count) objects is negative")
        default: break
        }
        if let limit = selection.limit, limit < 0 {
            throw GranaryError(.usage, "\(entity.name): the limit \(limit) is negative")
        }
        var search = StoreSearch(entities: entity.family, limit: selection.limit)
        guard let predicate = selection.predicate else { return search }
        if let text = selection.condition {
            try PredicateText.check(predicate, text, entity: entity.name, in: schema)
        }
        let resolved = try PredicateResolver(schema: schema, entity: entity).resolve(predicate)
        try TransientCheck(schema: schema, entity: entity).check(resolved)
        search.predicate = resolved
        return search
    }

    /// The slots of the relationships that are not followed, by the index of the entity.
    private static func unfollowed(_ names: [String], _ schema: Schema) throws(GranaryError) -> [Int: Set<Int>] {
        var slots: [Int: Set<Int>] = [:]
        for name in names {
            let path = try PropertyPath(name, schema)
            guard let relationship = path.entity.relationship(named: path.property), relationship.isPersistent else {
                throw GranaryError(
                    .usage,
                    "\(Diagnostic.shortened(name)): \(path.entity.name) has no such stored relationship"
                        + NearestText.hint(for: path.property, in: path.entity.relationships.map(\.name)))
            }
            guard !relationship.isToMany else {
                throw GranaryError(
                    .usage,
                    "\(name) is a to-many relationship, which is followed only by the depth; name a to-one relationship"
                )
            }
            guard relationship.description.isOptional else {
                throw GranaryError(.usage, "\(name) is required, so its object must be in the subset")
            }
            for entity in path.entity.family { slots[entity, default: []].insert(relationship.slot) }
        }
        return slots
    }
}
