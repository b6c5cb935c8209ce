import Foundation

/// Computes Core Data's version hashes, which decide whether a store is compatible with a model.
///
/// Apple documents only their existence. The rules were derived from real stores and compiled models, and reproduce
/// every known vector.
struct VersionHasher {
    /// The entities in Core Data's order: a superentity before its subentities.
    let entities: [Schema.Entity]
    let composites: CompositeFlattener

    init(entities: [Schema.Entity], model: ManagedObjectModel) {
        self.entities = entities
        composites = CompositeFlattener(model: model)
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
                properties.append((attribute.name, hash(of: attribute)))
            }
            for relationship in description.relationships where !relationship.isTransient {
                properties.append((relationship.name, hash(of: relationship, in: entity)))
            }
            inherited.append(properties)

            var input = Data(description.name.utf8)
            input.append(description.isAbstract ? 1 : 0)
            if let superentity = entity.superentity { input.append(hashes[superentity]) }
            for property in properties.sorted(by: { utf8Less($0.name, $1.name) }) { input.append(property.hash) }
            input.append(contentsOf: (description.versionHashModifier ?? "").utf8)
            let constraints = description.uniquenessConstraints.map { $0.joined(separator: ".") }
            for constraint in constraints.sorted(by: utf8Less) { input.append(contentsOf: constraint.utf8) }
            hashes.append(sha256(input))
        }
        return hashes
    }

    private func base(name: String, isOptional: Bool, modifier: String?) -> Data {
        var input = Data(name.utf8)
        input.append(isOptional ? 1 : 0)
        // The transient flag. Transient properties are not hashed.
        input.append(0)
        input.append(contentsOf: (modifier ?? "").utf8)
        return sha256(input)
    }

    private func hash(of attribute: AttributeDescription) -> Data {
        if let expression = attribute.derivationExpression {
            return sha256(Data(DerivationText.predicateFormat(expression).utf8))
        }
        guard attribute.type == .composite else { return plainHash(of: attribute) }
        // A composite's name, type and optionality do not count, only its leaves (including nested ones), sorted by
        // name.
        var input = Data()
        let leaves = composites.declaredLeaves(of: attribute).sorted { utf8Less($0.name, $1.name) }
        for leaf in leaves { input.append(plainHash(of: leaf)) }
        return sha256(input)
    }

    private func plainHash(of attribute: AttributeDescription) -> Data {
        var input = base(
            name: attribute.name, isOptional: attribute.isOptional, modifier: attribute.versionHashModifier)
        input.append(littleEndian: attribute.type.rawValue)
        if attribute.allowsExternalBinaryDataStorage { input.append(1) }
        if attribute.preservesValueInHistoryOnDeletion { input.append(1) }
        return sha256(input)
    }

    private func hash(of relationship: RelationshipDescription, in entity: Schema.Entity) -> Data {
        var input = base(
            name: relationship.name, isOptional: relationship.isOptional, modifier: relationship.versionHashModifier)
        input.append(contentsOf: relationship.destinationEntityName.utf8)
        if let inverse = relationship.inverseName, !isOwnInverse(relationship, in: entity) {
            input.append(contentsOf: inverse.utf8)
        }
        input.append(littleEndian: relationship.maxCount)
        input.append(littleEndian: relationship.minCount)
        if relationship.isOrdered { input.append(contentsOf: [1, 0]) }
        return sha256(input)
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

extension Data {
    fileprivate mutating func append(littleEndian value: Int) {
        Swift.withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { append(contentsOf: $0) }
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
