import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// A difference between an entity of a model and the store's.
public struct EntityDifference: Sendable, Hashable, Encodable {
    /// How the entity differs.
    public enum Kind: String, Sendable, Encodable {
        /// Both have the entity, with different version hashes.
        case hash = "hash differs"
        /// The model lacks the entity.
        case onlyInStore = "only in store"
        /// The store lacks the entity.
        case onlyInModel = "only in model"
    }

    /// A property that differs.
    public struct Property: Sendable, Hashable, Encodable {
        /// The name of the property.
        public var name: String
        /// The difference, such as `Integer 16 in the store, Integer 32 in the model`.
        public var what: String
    }

    /// The name of the entity.
    public var entity: String
    /// How the entity differs.
    public var what: Kind
    /// The properties that differ, if the store has an embedded model.
    public var properties: [Property] = []
}

extension EntityDifference {
    /// Compares the facts that version hashes include (docs/core-data/version-hash.md). Each property has a text; the
    /// texts of two properties are equal if their hashes are.
    static func changes(_ stored: Schema.Entity, in store: Schema, _ given: Schema.Entity, in model: Schema)
        -> [Property]
    {
        let left = texts(stored, in: store)
        let right = texts(given, in: model)
        var found: [Property] = []
        for name in Set(left.keys).union(right.keys).sorted(by: utf8Less) {
            switch (left[name], right[name]) {
            case (let old?, let new?):
                if old != new { found.append(Property(name: name, what: "\(old) in the store, \(new) in the model")) }
            case (let old?, nil): found.append(Property(name: name, what: "only in the store: \(old)"))
            case (nil, let new?): found.append(Property(name: name, what: "only in the model: \(new)"))
            case (nil, nil): break
            }
        }
        return found
    }

    private static func texts(_ entity: Schema.Entity, in schema: Schema) -> [String: String] {
        var texts: [String: String] = [:]
        for attribute in entity.attributes where attribute.isPersistent {
            let description = attribute.description
            var parts = [attribute.type.name, description.isOptional ? "optional" : "required"]
            if description.allowsExternalBinaryDataStorage { parts.append("external storage") }
            if description.preservesValueInHistoryOnDeletion { parts.append("preserved after deletion") }
            if let expression = description.derivationExpression { parts.append("derived from \(expression)") }
            if let modifier = description.versionHashModifier { parts.append("hash modifier \"\(modifier)\"") }
            texts[attribute.name] = parts.joined(separator: ", ")
        }
        for relationship in entity.relationships where relationship.isPersistent {
            let description = relationship.description
            var parts = [
                "\(relationship.isToMany ? "to-many" : "to-one") \(description.destinationEntityName)",
                description.isOptional ? "optional" : "required",
                "inverse \(description.inverseName ?? "none")", "\(description.minCount)...\(description.maxCount)",
            ]
            if description.isOrdered { parts.append("ordered") }
            if let modifier = description.versionHashModifier { parts.append("hash modifier \"\(modifier)\"") }
            texts[relationship.name] = parts.joined(separator: ", ")
        }
        let parent = entity.superentity.map { schema.entities[$0].name } ?? "none"
        texts["(entity)"] = "parent \(parent), \(entity.isAbstract ? "abstract" : "not abstract")"
        let constraints = entity.uniquenessConstraints.filter { $0.owner == entity.index }
        if !constraints.isEmpty {
            texts["(uniqueness)"] = constraints.map { $0.names.joined(separator: "+") }.sorted().joined(separator: ", ")
        }
        if let modifier = entity.description.versionHashModifier { texts["(hash modifier)"] = modifier }
        return texts
    }
}
