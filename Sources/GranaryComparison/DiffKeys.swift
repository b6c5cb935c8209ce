import GranaryBase
import GranaryModel
import GranaryRecords

/// The attributes that pair the objects of each entity: given ones, or those of its uniqueness constraint.
struct DiffKeys {
    private let given: [String: [String]]
    private let shared: [[String]]
    private let schema: Schema

    /// - Parameters:
    ///   - schema: the first schema.
    ///   - entities: the entities that both schemas have.
    ///   - isCompared: whether the objects of an entity are compared. Shared keys are for these entities.
    /// - Throws: ``GranaryError`` with code `usage` for an unknown entity, and for a shared key that no entity has.
    init(
        _ options: StoreDiffOptions, _ schema: Schema, _ entities: [DiffPlan.Entity], isCompared: (String) -> Bool
    ) throws(GranaryError) {
        given = options.keys
        shared = options.sharedKeys
        self.schema = schema
        let names = Set(entities.map(\.name))
        for name in given.keys.sorted() where !names.contains(name) {
            throw GranaryError(
                .usage,
                "the key of \"\(name)\": the two models have no such entity in common"
                    + NearestText.hint(for: name, in: entities.map(\.name)))
        }
        for key in shared {
            try Self.check(key, "all entities")
            guard key != [RecordTable.identifierColumn],
                !entities.contains(where: { isCompared($0.name) && Self.attributes(key, of: $0) != nil })
            else { continue }
            let known = Set(entities.filter { isCompared($0.name) }.flatMap(\.attributes).map(\.name))
            let unknown = key.first { !known.contains($0) }
            throw GranaryError(
                .usage,
                "the key \(key.joined(separator: ",")): no entity has "
                    + (unknown.map { "the attribute \"\($0)\"" + NearestText.hint(for: $0, in: known.sorted()) }
                        ?? "all of these attributes"))
        }
    }

    /// The key of an entity, and whether an option gives it. An empty key is `$id`.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for a given key that the entity does not have.
    func key(
        of entity: DiffPlan.Entity, isCompared: Bool
    ) throws(GranaryError) -> (attributes: [DiffPlan.Attribute], isGiven: Bool) {
        if let (names, owner) = given(for: entity.a) {
            try Self.check(names, owner)
            if names == [RecordTable.identifierColumn] { return ([], true) }
            guard let found = Self.attributes(names, of: entity) else { throw Self.unknown(names, entity, owner) }
            return (found, true)
        }
        for names in shared where isCompared {
            if names == [RecordTable.identifierColumn] { return ([], true) }
            if let found = Self.attributes(names, of: entity) { return (found, true) }
        }
        return (Self.constraint(of: entity), false)
    }

    /// The key that is given for an entity or for its nearest superentity.
    private func given(for entity: Schema.Entity) -> (names: [String], owner: String)? {
        guard !given.isEmpty else { return nil }
        var next: Schema.Entity? = entity
        while let current = next {
            if let names = given[current.name] { return (names, current.name) }
            next = current.superentity.map { schema.entities[$0] }
        }
        return nil
    }

    private static func check(_ names: [String], _ owner: String) throws(GranaryError) {
        guard !names.isEmpty else { throw GranaryError(.usage, "the key of \(owner) has no attributes") }
        guard Set(names).count == names.count else {
            throw GranaryError(.usage, "the key of \(owner) names an attribute twice")
        }
        guard names.count == 1 || !names.contains(RecordTable.identifierColumn) else {
            throw GranaryError(.usage, "the key of \(owner): $id pairs objects alone, without attributes")
        }
    }

    /// The attributes with these names; nil if one of them is missing.
    private static func attributes(_ names: [String], of entity: DiffPlan.Entity) -> [DiffPlan.Attribute]? {
        let found = names.compactMap { name in entity.attributes.first { $0.name == name } }
        return found.count == names.count ? found : nil
    }

    private static func unknown(_ names: [String], _ entity: DiffPlan.Entity, _ owner: String) -> GranaryError {
        let name = names.first { name in !entity.attributes.contains { $0.name == name } } ?? ""
        if entity.a.relationship(named: name) != nil {
            return GranaryError(
                .usage,
                "the key of \(owner): \"\(name)\" is a relationship, and a key has attributes only; pair the objects by "
                    + "attributes that are unique together, or by $id if both stores have the same primary keys",
                help: OptionHelp.option("key", "\(owner)=\(RecordTable.identifierColumn)"))
        }
        return GranaryError(
            .usage,
            "the key of \(owner): \"\(name)\" is not an attribute that both models store in \(entity.name)"
                + NearestText.hint(for: name, in: entity.attributes.map(\.name)))
    }

    /// The attributes of the first uniqueness constraint that both schemas store.
    private static func constraint(of entity: DiffPlan.Entity) -> [DiffPlan.Attribute] {
        for side in [entity.a, entity.b] {
            guard let key = NaturalKey(of: side, allowsSeveral: true) else { continue }
            if let found = attributes(key.attributes.map(\.name), of: entity) { return found }
        }
        return []
    }
}
