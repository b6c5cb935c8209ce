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

/// Derivation expressions as printed by `NSExpression`, which version hashes contain.
enum DerivationText {
    /// Converts `pages.@count` to `count:(pages)`; a plain key path is unchanged. Other forms are not confirmed by
    /// known vectors and are also unchanged, except for blanks that the printed form cannot contain.
    static func predicateFormat(_ expression: String) -> String {
        let expression = withoutBlanks(expression)
        let path = expression.split(separator: ".", omittingEmptySubsequences: false)
        guard path.count > 1, path.last == "@count" else { return expression }
        return "count:(" + path.dropLast().joined(separator: ".") + ")"
    }

    /// Removes blanks at the ends and around the parentheses of a function of one argument: `canonical: ( title )` is
    /// printed as `canonical:(title)`.
    private static func withoutBlanks(_ text: String) -> String {
        // Blanks in literals and around operators are significant.
        let meanMore = text.utf8.contains { byte in
            !(isNameByte(byte) || byte == UInt8(ascii: " ")) && !":@.()".utf8.contains(byte)
        }
        guard text.utf8.contains(UInt8(ascii: " ")), !meanMore else { return text }
        // Two names separated only by a blank would become one name; such a text is not an expression.
        let words = text.split(separator: " ")
        for (left, right) in zip(words, words.dropFirst()) {
            guard let end = left.utf8.last, let start = right.utf8.first, isNameByte(end), isNameByte(start) else {
                continue
            }
            return text
        }
        return words.joined()
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (48...57).contains(byte) || (65...90).contains(byte & 0xDF)
    }
}
