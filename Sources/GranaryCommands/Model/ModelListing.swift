import Foundation
import GranaryModel

/// The JSON of `model show`: a model archive, and the resolved entities.
enum ModelListing {
    static func json(of schema: Schema) -> JSONObject {
        // `granaryModel` marks the JSON as a model archive, so that it can be passed as a model.
        [
            "granaryModel": 1, "model": schema.model, "entities": schema.entities.map { entity($0, schema) },
            "checksum": schema.checksum, "digest": schema.digest,
        ]
    }

    private static func entity(_ entity: Schema.Entity, _ schema: Schema) -> JSONObject {
        let attributes = entity.attributes.map { attribute -> JSONObject in
            [
                "name": attribute.name, "type": attribute.type.name, "optional": attribute.description.isOptional,
                "rules": PropertyRules.rules(of: attribute.description),
            ]
        }
        let relationships = entity.relationships.map { relationship in
            JSONObject(present: [
                "name": relationship.name, "destination": schema.entities[relationship.destination].name,
                "inverse": relationship.description.inverseName, "toMany": relationship.isToMany,
                "ordered": relationship.description.isOrdered, "optional": relationship.description.isOptional,
                "deleteRule": relationship.description.deleteRule.name,
            ])
        }
        return JSONObject(present: [
            "name": entity.name, "number": entity.number,
            "parent": entity.superentity.map { schema.entities[$0].name }, "abstract": entity.isAbstract,
            "attributes": attributes, "relationships": relationships,
            "unique": entity.uniquenessConstraints.map(\.names),
            "hash": schema.versionHashes[entity.name]?.base64EncodedString() ?? "",
        ])
    }
}
