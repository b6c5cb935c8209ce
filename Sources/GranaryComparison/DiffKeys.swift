import GranaryBase
import GranaryModel
import GranaryRecords

/// The keys that pair the objects of each entity: given ones, or the attributes of its uniqueness constraint.
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
                !entities.contains(where: { isCompared($0.name) && Self.key(key, of: $0) != nil })
            else { continue }
            let compared = entities.filter { isCompared($0.name) }
            let known = Set(
                compared.flatMap(\.attributes).map(\.name) + compared.flatMap(\.relationships).map(\.name))
            let unknown = key.first { !known.contains($0) }
            throw GranaryError(
                .usage,
                "the key \(key.joined(separator: ",")): no entity has "
                    + (unknown.map { "the property \"\($0)\"" + NearestText.hint(for: $0, in: known.sorted()) }
                        ?? "all of these properties"))
        }
    }

    /// The key of an entity, and whether an option gives it. An empty key is `$id`.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for a given key that the entity does not have.
    func key(
        of entity: DiffPlan.Entity, isCompared: Bool
    ) throws(GranaryError) -> (key: DiffKey, isGiven: Bool) {
        if let (names, owner) = given(for: entity.a) {
            try Self.check(names, owner)
            if names == [RecordTable.identifierColumn] { return (DiffKey(), true) }
            guard let found = Self.key(names, of: entity) else { throw Self.unknown(names, entity, owner) }
            return (found, true)
        }
        for names in shared where isCompared {
            if names == [RecordTable.identifierColumn] { return (DiffKey(), true) }
            if let found = Self.key(names, of: entity) { return (found, true) }
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
        guard !names.isEmpty else { throw GranaryError(.usage, "the key of \(owner) has no properties") }
        guard Set(names).count == names.count else {
            throw GranaryError(.usage, "the key of \(owner) names a property twice")
        }
        guard names.count == 1 || !names.contains(RecordTable.identifierColumn) else {
            throw GranaryError(.usage, "the key of \(owner): $id pairs objects alone, without other properties")
        }
    }

    /// The key of properties with these names; nil if one of them is missing.
    private static func key(_ names: [String], of entity: DiffPlan.Entity) -> DiffKey? {
        var key = DiffKey()
        for name in names {
            if let attribute = entity.attributes.first(where: { $0.name == name }) {
                key.attributes.append(attribute)
            } else if let relationship = entity.relationships.first(where: { $0.name == name && !$0.a.isToMany }) {
                key.relationships.append(relationship)
            } else {
                return nil
            }
        }
        return key
    }

    private static func unknown(_ names: [String], _ entity: DiffPlan.Entity, _ owner: String) -> GranaryError {
        let name = names.first { key([$0], of: entity) == nil } ?? ""
        if entity.a.relationship(named: name)?.isToMany == true {
            return GranaryError(
                .usage,
                "the key of \(owner): \"\(name)\" is a to-many relationship; a key has attributes and to-one "
                    + "relationships only")
        }
        let known = entity.attributes.map(\.name) + entity.relationships.filter { !$0.a.isToMany }.map(\.name)
        return GranaryError(
            .usage,
            "the key of \(owner): \"\(name)\" is not an attribute or a to-one relationship that both models store in "
                + "\(entity.name)" + NearestText.hint(for: name, in: known))
    }

    /// The attributes of the first uniqueness constraint that both schemas store.
    private static func constraint(of entity: DiffPlan.Entity) -> DiffKey {
        for side in [entity.a, entity.b] {
            guard let key = NaturalKey(of: side, allowsSeveral: true) else { continue }
            if let found = Self.key(key.attributes.map(\.name), of: entity) { return found }
        }
        return DiffKey()
    }
}
