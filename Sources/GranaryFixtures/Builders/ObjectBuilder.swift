import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryGeneration
import GranaryImport
import GranaryModel
import GranaryPredicates
import GranarySeedPlans

/// Builds the objects of a group: generates them with all that they need, then gives them the values and links of the
/// test.
struct ObjectBuilder {
    let container: PersistentContainer

    /// The largest number of objects of one group; all are in memory at once.
    static let maximumCount = 100_000

    /// - Throws: ``GranaryError``: `usage` for names that the model does not have; `refused` if the objects break a rule;
    ///   any error from the code of the test.
    func build(_ group: ObjectGroup) async throws {
        let entity: Schema.Entity
        switch group.target {
        case .entity(let name): entity = try self.entity(name)
        case .objectClass(let type):
            let name = try await container.perform { try $0.entityName(registeredFor: type) }
            entity = try self.entity(name)
        case .destination: throw GranaryError(.internalDefect, "the objects have no entity")
        }
        _ = try await build(group, of: entity)
    }

    private func entity(_ name: String) throws(GranaryError) -> Schema.Entity {
        let schema = container.schema
        guard let entity = schema.entity(named: name) else {
            throw GranaryError(
                .usage,
                "the model has no entity \"\(Diagnostic.shortened(name))\""
                    + NearestText.hint(for: name, in: schema.entities.map(\.name)))
        }
        return entity
    }

    /// New objects of a relationship, for all owners one after the other.
    private struct NewMembers: Sendable {
        let ids: [ManagedObjectID]
        let countForEach: Int
    }

    /// Builds the objects. The recursion is as deep as the links in the source code of the test.
    private func build(_ group: ObjectGroup, of entity: Schema.Entity) async throws -> [ManagedObjectID] {
        guard (0...Self.maximumCount).contains(group.count) else {
            throw GranaryError(
                .usage,
                "\(group.count) objects of \(entity.name) cannot be built; the largest number is "
                    + "\(Self.maximumCount)")
        }
        guard group.count > 0 else { return [] }
        let (ids, companions) = try await generate(group, of: entity)
        var members: [String: [NewMembers]] = [:]
        for (name, link) in group.allLinks.sorted(by: { $0.key < $1.key }) {
            for case .new(var nested) in link.contents {
                let (destination, isToMany) = try destination(of: name, entity, nested)
                let each = nested.count
                guard isToMany || each == 1 else {
                    throw GranaryError(
                        .usage, "\(entity.name).\(name) is a to-one relationship: one object, not \(each)")
                }
                let (total, overflow) = each.multipliedReportingOverflow(by: ids.count)
                nested.count = overflow ? Int.max : total
                members[name, default: []].append(
                    NewMembers(ids: try await build(nested, of: destination), countForEach: each))
            }
        }
        try await container.perform { [members] context in
            let assignment = ObjectAssignment(context: context, entity: entity, group: group)
            let objects = try context.objects(with: ids)
            for (index, object) in objects.enumerated() {
                try assignment.assign(object, at: index) { name, place in
                    guard let found = members[name], place < found.count else { return [] }
                    let each = found[place].countForEach
                    return Array(found[place].ids.dropFirst(index * each).prefix(each))
                }
            }
            // Objects that were generated for a required relationship, and that a link of the test has replaced.
            for companion in try context.objects(with: companions) where try assignment.isReplaced(companion) {
                try context.delete(companion)
            }
            try context.save()
        }
        return ids
    }

    private func destination(
        of name: String, _ entity: Schema.Entity, _ group: ObjectGroup
    ) throws(GranaryError) -> (Schema.Entity, isToMany: Bool) {
        guard let relationship = entity.relationship(named: name) else {
            throw GranaryError(
                .usage,
                "\(entity.name) has no relationship \"\(Diagnostic.shortened(name))\""
                    + NearestText.hint(for: name, in: entity.relationships.map(\.name)))
        }
        let destination = container.schema.entities[relationship.destination]
        guard case .entity(let name) = group.target else { return (destination, relationship.isToMany) }
        return (try self.entity(name), relationship.isToMany)
    }

    /// Generates valid objects and those that they need.
    ///
    /// - Returns: the objects, and the objects that were generated with them.
    private func generate(
        _ group: ObjectGroup, of entity: Schema.Entity
    ) async throws -> (ids: [ManagedObjectID], companions: [ManagedObjectID]) {
        let schema = container.schema
        let counts = try await container.perform { context in
            try RequiredObjects(schema: schema) { try context.count($0.name) }.counts(for: entity, group.count)
        }
        var options = GenerationOptions()
        options.randomSeed = group.randomSeed
        options.nullPercent = 0
        var run = ImportRunOptions()
        run.keepsLedger = false
        run.generation = GenerationRequest(counts: counts, options: options)
        run.generation?.linksOptionalRelationships = false
        let before = try lastKeys(of: counts.keys)
        _ = try await Importer(jobs: [], run: run).run(into: container)
        var generated: [String: [ManagedObjectID]] = [:]
        for (name, count) in counts { generated[name] = try ids(of: name, after: before[name] ?? 0, count) }
        let companions = generated.filter { $0.key != entity.name }.sorted { $0.key < $1.key }.flatMap(\.value)
        return (generated[entity.name] ?? [], companions)
    }

    /// The last key of each entity's hierarchy. Objects that are generated later have larger ones.
    private func lastKeys(of names: some Collection<String>) throws -> [String: Int64] {
        let schema = container.schema
        return try container.withStore { store in
            var keys: [String: Int64] = [:]
            for name in names {
                guard let entity = schema.entity(named: name) else { continue }
                keys[name] = try store.lastKey(root: entity.root)
            }
            return keys
        }
    }

    private func ids(of name: String, after key: Int64, _ count: Int) throws -> [ManagedObjectID] {
        // Objects are generated into the first store that takes them.
        guard let entity = container.schema.entity(named: name),
            let store = container.persistentStoreCoordinator.persistentStores.first(where: {
                $0.holds(entity.index) && !$0.isReadOnly
            })
        else { return [] }
        let keys = try container.withStore { store in
            try store.read(entities: entity.index..<entity.index + 1, after: key, limit: count).rows.map(\.key)
        }
        return keys.map { ManagedObjectID(origin: store.identity, entity: entity.index, key: $0) }
    }
}
