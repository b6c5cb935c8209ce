import Foundation
import TestSupport

@testable import GranaryModel

/// The hashes of real stores and compiled models, and what they were made from.
struct HashVectors: Decodable {
    static let all = Result { try read("coredata/version-hash-vectors.json") }
    /// The vectors for modifiers beside constraints, several constraints and relationships that are their own
    /// inverse.
    static let more = Result { try read("coredata/version-hash-vectors-2.json") }

    private static func read(_ path: String) throws -> HashVectors {
        try JSONDecoder().decode(HashVectors.self, from: Data(contentsOf: try SharedFiles.url(path)))
    }

    let vectors: [Vector]
    let models: [Model]

    struct Vector: Decodable {
        let entity: String
        let hash: String
        /// The entity, then its superentities, outermost last.
        let definition: [Entity]
        /// What the vector shows.
        let tags: [String]?
    }

    struct Model: Decodable {
        let hashes: [String: String]
        let checksum: String?
        let digest: String?
    }

    struct Entity: Decodable {
        let name: String
        let abstract: Bool?
        let unique: [[String]]?
        let modifier: String?
        let properties: [Property]
    }

    final class Property: Decodable, Sendable {
        let kind, name: String
        let type: Int?
        let optional, transient, preserve, ordered: Bool?
        let dest, inverse, expression, modifier: String?
        let min, max: Int?
        let external: Bool?
        let elements: [Property]?
    }
}

extension HashVectors.Vector {
    /// The entities alone: destinations are missing, so it cannot be resolved.
    var model: ManagedObjectModel {
        var entities: [EntityDescription] = []
        for (index, source) in definition.enumerated() {
            var entity = EntityDescription(name: source.name)
            entity.isAbstract = source.abstract ?? false
            entity.uniquenessConstraints = source.unique ?? []
            entity.versionHashModifier = source.modifier
            entity.superentityName = index + 1 < definition.count ? definition[index + 1].name : nil
            for property in source.properties { property.add(to: &entity) }
            entities.append(entity)
        }
        var model = ManagedObjectModel(entities: entities)
        for property in definition.flatMap(\.properties) where property.elements != nil {
            model.composites.append(
                CompositeDescription(name: property.name, elements: (property.elements ?? []).map(\.attribute)))
        }
        return model
    }
}

extension HashVectors.Property {
    fileprivate var attribute: AttributeDescription {
        let type = elements == nil ? AttributeType(rawValue: type ?? -1) ?? .undefined : .composite
        var attribute = AttributeDescription(name: name, type: type)
        attribute.isOptional = optional ?? false
        attribute.isTransient = transient ?? false
        attribute.preservesValueInHistoryOnDeletion = preserve ?? false
        attribute.allowsExternalBinaryDataStorage = external ?? false
        attribute.derivationExpression = expression
        attribute.versionHashModifier = modifier
        if elements != nil { attribute.compositeName = name }
        return attribute
    }

    fileprivate func add(to entity: inout EntityDescription) {
        switch kind {
        case "attr", "derived", "composite":
            entity.attributes.append(attribute)
        case "rel":
            var relationship = RelationshipDescription(name: name, destination: dest ?? "", inverse: inverse)
            relationship.isOptional = optional ?? false
            relationship.minCount = min ?? 0
            relationship.maxCount = max ?? 0
            relationship.isOrdered = ordered ?? false
            relationship.versionHashModifier = modifier
            entity.relationships.append(relationship)
        default:
            let request = FetchRequestTemplate(name: name, entityName: entity.name)
            entity.fetchedProperties.append(FetchedPropertyDescription(name: name, fetchRequest: request))
        }
    }
}
