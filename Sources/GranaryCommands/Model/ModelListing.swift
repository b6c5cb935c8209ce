import Foundation
import GranaryModel

/// The JSON of `model show`: a model archive, and the resolved entities.
struct ModelListing: Encodable {
    struct Entity: Encodable {
        let name: String
        let number: Int
        let parent: String?
        let abstract: Bool
        let attributes: [Attribute]
        let relationships: [Relationship]
        let unique: [[String]]
        let hash: String
    }

    struct Attribute: Encodable {
        let name: String
        let type: String
        let optional: Bool
        let rules: [String]
    }

    struct Relationship: Encodable {
        let name: String
        let destination: String
        let inverse: String?
        let toMany: Bool
        let ordered: Bool
        let optional: Bool
        let deleteRule: String
    }

    /// Marks the JSON as a model archive, so that it can be passed as a model.
    let granaryModel = 1
    let model: ManagedObjectModel
    let entities: [Entity]
    let checksum: String
    let digest: String

    init(_ schema: Schema) {
        model = schema.model
        checksum = schema.checksum
        digest = schema.digest
        entities = schema.entities.map { entity in
            Entity(
                name: entity.name, number: entity.number, parent: entity.superentity.map { schema.entities[$0].name },
                abstract: entity.isAbstract,
                attributes: entity.attributes.map { attribute in
                    Attribute(
                        name: attribute.name, type: attribute.type.name, optional: attribute.description.isOptional,
                        rules: PropertyRules.rules(of: attribute.description))
                },
                relationships: entity.relationships.map { relationship in
                    Relationship(
                        name: relationship.name, destination: schema.entities[relationship.destination].name,
                        inverse: relationship.description.inverseName, toMany: relationship.isToMany,
                        ordered: relationship.description.isOrdered, optional: relationship.description.isOptional,
                        deleteRule: relationship.description.deleteRule.name)
                },
                unique: entity.uniquenessConstraints.map(\.names),
                hash: schema.versionHashes[entity.name]?.base64EncodedString() ?? "")
        }
    }
}
