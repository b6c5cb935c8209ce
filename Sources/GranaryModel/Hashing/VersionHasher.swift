import Foundation

/// Computes Core Data's version hashes, which decide whether a store is compatible with a model.
///
/// Apple documents only their existence. The rules were derived from real stores and compiled models, and reproduce
/// every known vector.
struct VersionHasher {
    /// The entities in Core Data's order: a superentity before its subentities.
    let entities: [Schema.Entity]
    let properties: PropertyHasher

    init(entities: [Schema.Entity], model: ManagedObjectModel) {
        self.entities = entities
        properties = PropertyHasher(composites: model.composites)
    }

    /// The hash of each entity, 32 bytes.
    func entityHashes() -> [Data] {
        var hashes: [Data] = []
        var inherited: [[(name: String, hash: Data)]] = []
        for entity in entities {
            let description = entity.description
            // Some compiled models repeat inherited properties; each name counts once, with the nearest declaration.
            let own = Set(description.attributes.map(\.name) + description.relationships.map(\.name))
            var properties = (entity.superentity.map { inherited[$0] } ?? []).filter { !own.contains($0.name) }
            for attribute in description.attributes where !attribute.isTransient {
                properties.append((attribute.name, self.properties.hash(of: attribute)))
            }
            for relationship in description.relationships where !relationship.isTransient {
                let isOwnInverse = isOwnInverse(relationship, in: entity)
                properties.append(
                    (relationship.name, self.properties.hash(of: relationship, isOwnInverse: isOwnInverse)))
            }
            inherited.append(properties)

            hashes.append(
                self.properties.hash(
                    of: description, superentity: entity.superentity.map { hashes[$0] }, properties: properties))
        }
        return hashes
    }

    /// Whether a relationship is its own inverse. Some compiled models repeat it in subentities.
    private func isOwnInverse(_ relationship: RelationshipDescription, in entity: Schema.Entity) -> Bool {
        guard relationship.inverseName == relationship.name else { return false }
        var next: Schema.Entity? = entity
        while let current = next {
            if current.name == relationship.destinationEntityName { return true }
            next = current.superentity.map { entities[$0] }
        }
        return false
    }
}

extension VersionHasher {
    /// `NSStoreModelVersionChecksumKey`: the hash of all hashes in byte order of the entities' names.
    static func checksum(_ hashes: [String: Data]) -> String {
        let names = hashes.keys.sorted(by: utf8Less)
        let input = Data(names.compactMap { hashes[$0] }.joined())
        return sha256(input).base64EncodedString()
    }

    /// `NSStoreModelVersionHashesDigest`: the hash of names and hashes in byte order of the names.
    static func digest(_ hashes: [String: Data]) -> String {
        var input = Data()
        for name in hashes.keys.sorted(by: utf8Less) {
            input.append(contentsOf: name.utf8)
            if let hash = hashes[name] { input.append(hash) }
        }
        return sha512(input).base64EncodedString()
    }
}
