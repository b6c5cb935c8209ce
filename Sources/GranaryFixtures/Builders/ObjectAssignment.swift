import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Gives objects the values and links of a group.
struct ObjectAssignment {
    let context: ManagedObjectContext
    let entity: Schema.Entity
    let group: ObjectGroup
    private let values: [(name: String, value: SeedValue)]
    private let links: [(name: String, link: SeedLink)]

    init(context: ManagedObjectContext, entity: Schema.Entity, group: ObjectGroup) {
        self.context = context
        self.entity = entity
        self.group = group
        values = group.allValues.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        links = group.allLinks.sorted { $0.key < $1.key }.map { (name: $0.key, link: $0.value) }
    }

    /// - Parameters:
    ///   - index: the place of the object among those of the group.
    ///   - newMembers: the new objects of a relationship, given its name and the place of the description among those of
    ///     new objects.
    func assign(
        _ object: ManagedObject, at index: Int, newMembers: (String, Int) -> [ManagedObjectID]
    ) throws {
        for (name, value) in values {
            guard let attribute = entity.attribute(named: name) else { throw unknown(name) }
            try object.setValue(try value.value(at: index, for: attribute), forKey: name)
        }
        for (name, link) in links {
            guard let relationship = entity.relationship(named: name) else { throw unknown(name) }
            try assign(link, to: relationship, of: object, index) { newMembers(name, $0) }
        }
        try group.configuration?.body(object, index)
    }

    private func assign(
        _ link: SeedLink, to relationship: Schema.Relationship, of object: ManagedObject, _ index: Int,
        _ newMembers: (Int) -> [ManagedObjectID]
    ) throws {
        var members: [ManagedObject] = []
        var newPlace = 0
        for content in link.contents {
            switch content {
            case .new:
                members += try context.objects(with: newMembers(newPlace))
                newPlace += 1
            case .existing(let values): members += try existing(values, of: relationship, index)
            case .matching(let predicate):
                members += try existing(predicate, of: relationship, predicate.description)
            }
        }
        if relationship.isToMany {
            try object.setObjects(members, forKey: relationship.name)
        } else if members.count > 1 {
            throw refusal(relationship, "a to-one relationship cannot lead to \(members.count) objects")
        } else {
            try object.setObject(members.first, forKey: relationship.name)
        }
    }

    // MARK: - Existing objects

    private func existing(
        _ values: [(name: String, value: SeedValue)], of relationship: Schema.Relationship, _ index: Int
    ) throws -> [ManagedObject] {
        let destination = try destination(of: relationship)
        var terms: [ObjectPredicate] = []
        var texts: [String] = []
        for (name, value) in values {
            let key = name.isEmpty ? try naturalKey(of: destination, relationship) : name
            guard let attribute = destination.attribute(named: key) else {
                throw refusal(
                    relationship,
                    "\(destination.name) has no attribute \"\(Diagnostic.shortened(key))\""
                        + NearestText.hint(for: key, in: destination.attributes.map(\.name)))
            }
            let wanted = try value.value(at: index, for: attribute)
            terms.append(
                try wanted.map { try ObjectPredicate("%K == %@", key, $0) } ?? ObjectPredicate("%K == NULL", key))
            texts.append("\(key) \(wanted.map { "\($0)" } ?? "NULL")")
        }
        guard let first = terms.first else {
            throw refusal(relationship, "an existing object needs the value of an attribute: .existing(name: \"Burn\")")
        }
        return try existing(
            terms.dropFirst().reduce(first) { $0 && $1 }, of: relationship, texts.joined(separator: ", "))
    }

    private func existing(
        _ predicate: ObjectPredicate, of relationship: Schema.Relationship, _ text: String
    ) throws -> [ManagedObject] {
        let destination = try destination(of: relationship)
        let found = try context.fetch(FetchRequest(destination.name, where: predicate))
        guard relationship.isToMany ? !found.isEmpty : found.count == 1 else {
            throw refusal(
                relationship,
                "\(found.isEmpty ? "no object" : "\(found.count) objects") of \(destination.name) with \(text)"
                    + (relationship.isToMany ? "" : "; exactly one is needed"))
        }
        return found
    }

    private func destination(of relationship: Schema.Relationship) throws(GranaryError) -> Schema.Entity {
        guard let schema = entity.schema else { throw GranaryError(.internalDefect, "the model is gone") }
        return schema.entities[relationship.destination]
    }

    private func naturalKey(
        of destination: Schema.Entity, _ relationship: Schema.Relationship
    ) throws(GranaryError) -> String {
        let keys = destination.uniquenessConstraints.filter { $0.names.count == 1 }.flatMap(\.names)
        guard let key = keys.first, keys.count == 1 else {
            throw refusal(
                relationship,
                "\(destination.name) has \(keys.isEmpty ? "no" : "several") uniqueness constraints of one attribute; "
                    + "name the attribute: .existing(name: \"Burn\")")
        }
        return key
    }

    /// Whether an object that was generated for a required relationship is linked to nothing.
    func isReplaced(_ companion: ManagedObject) throws -> Bool {
        let hasOwn = links.contains { entity.relationship(named: $0.name)?.isRequired ?? false }
        guard hasOwn, let own = entity.schema?.entity(named: companion.entity.name) else { return false }
        for relationship in own.relationships where relationship.isPersistent {
            let isLinked =
                try relationship.isToMany
                ? !companion.objects(forKey: relationship.name).isEmpty
                : companion.object(forKey: relationship.name) != nil
            if isLinked { return false }
        }
        return true
    }

    // MARK: - Errors

    private func unknown(_ name: String) -> GranaryError {
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        return GranaryError(
            .usage,
            "\(entity.name) has no such property \"\(Diagnostic.shortened(name))\""
                + NearestText.hint(for: name, in: names)
        )
    }

    private func refusal(_ relationship: Schema.Relationship, _ message: String) -> GranaryError {
        GranaryError(Diagnostic(.relationshipNotFound, message, entity: entity.name, property: relationship.name))
    }
}
