import Foundation
import GranaryBase

extension SchemaLock.Version {
    /// Freezes a model.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the model has problems.
    init(_ model: ManagedObjectModel) throws(GranaryError) {
        let schema = try model.resolved()
        let composites = CompositeFlattener(model: model)
        identifiers = model.versionIdentifiers
        checksum = schema.checksum
        digest = schema.digest
        entities = [:]
        let hashes = schema.versionHashes
        for entity in model.entities {
            entities[entity.name] = SchemaLock.Entity(
                hash: hashes[entity.name]?.base64EncodedString() ?? "", facts: Self.facts(of: entity),
                properties: Self.properties(of: entity, composites))
        }
    }

    private static func facts(of entity: EntityDescription) -> [String: String] {
        var facts: [String: String] = [:]
        if entity.isAbstract { facts["abstract"] = "yes" }
        facts["parent"] = entity.superentityName
        facts["modifier"] = entity.versionHashModifier
        let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ", ") }.sorted(by: utf8Less)
        if !constraints.isEmpty { facts["constraints"] = constraints.joined(separator: "; ") }
        return facts
    }

    private static func properties(
        of entity: EntityDescription, _ composites: CompositeFlattener
    ) -> [String: [String: String]] {
        var properties: [String: [String: String]] = [:]
        for attribute in entity.attributes where !attribute.isTransient {
            var facts = facts(of: attribute)
            if attribute.type == .composite {
                // Neither the name nor the optionality of a composite is hashed, only its leaves.
                facts = ["type": attribute.type.name]
                for (path, leaf) in composites.declaredLeafPaths(of: attribute) {
                    facts[path] =
                        Self.facts(of: leaf).sorted { $0.key > $1.key }.map { $0.key == "type" ? $0.value : $0.key }
                        .joined(separator: " ")
                }
            }
            properties[attribute.name] = facts
        }
        for relationship in entity.relationships where !relationship.isTransient {
            properties[relationship.name] = facts(of: relationship)
        }
        return properties
    }

    private static func facts(of attribute: AttributeDescription) -> [String: String] {
        if let expression = attribute.derivationExpression { return ["derived": expression] }
        var facts = ["type": attribute.type.name]
        if attribute.isOptional { facts["optional"] = "yes" }
        if attribute.allowsExternalBinaryDataStorage { facts["external"] = "yes" }
        if attribute.preservesValueInHistoryOnDeletion { facts["preserved"] = "yes" }
        facts["modifier"] = attribute.versionHashModifier
        return facts
    }

    private static func facts(of relationship: RelationshipDescription) -> [String: String] {
        var facts = ["to": relationship.destinationEntityName]
        if relationship.isOptional { facts["optional"] = "yes" }
        facts["inverse"] = relationship.inverseName
        facts["count"] = "\(relationship.minCount)...\(relationship.maxCount == 0 ? "" : "\(relationship.maxCount)")"
        if relationship.isOrdered { facts["ordered"] = "yes" }
        facts["modifier"] = relationship.versionHashModifier
        return facts
    }
}

extension SchemaLock.Version {
    /// The differences to a later form of the version, in the order of entities and properties.
    func changes(to later: Self, version: String) -> [SchemaLockChange] {
        var changes: [SchemaLockChange] = []
        for name in Set(entities.keys).union(later.entities.keys).sorted(by: utf8Less) {
            func add(_ property: String?, _ what: String) {
                changes.append(SchemaLockChange(version: version, entity: name, property: property, what: what))
            }
            switch (entities[name], later.entities[name]) {
            case (let old?, let new?) where old.hash != new.hash:
                let count = changes.count
                for what in Self.differences(old.facts, new.facts) { add(nil, what) }
                for property in Set(old.properties.keys).union(new.properties.keys).sorted(by: utf8Less) {
                    switch (old.properties[property], new.properties[property]) {
                    case (let before?, let after?):
                        for what in Self.differences(before, after) { add(property, what) }
                    case (nil, _): add(property, "is new")
                    case (_, nil): add(property, "is missing")
                    }
                }
                // The parent's hash is part of that of its subentities.
                if changes.count == count {
                    add(
                        nil,
                        "the version hash differs"
                            + (new.facts["parent"] == nil ? "" : ", because that of its parent does"))
                }
            case (nil, _): add(nil, "is new")
            case (_, nil): add(nil, "is missing")
            default: break
            }
        }
        return changes
    }

    private static func differences(_ old: [String: String], _ new: [String: String]) -> [String] {
        Set(old.keys).union(new.keys).sorted(by: utf8Less).compactMap { key in
            old[key] == new[key] ? nil : "\(key): \(old[key] ?? "none") -> \(new[key] ?? "none")"
        }
    }
}
