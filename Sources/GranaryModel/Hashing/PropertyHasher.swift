package import Foundation

/// Computes the parts of version hashes from descriptions alone, without a schema. ``VersionHasher`` uses it for whole
/// models.
package struct PropertyHasher {
    let composites: CompositeFlattener

    package init(composites: [CompositeDescription]) {
        self.composites = CompositeFlattener(composites: composites)
    }

    /// The hash of an entity, 32 bytes.
    ///
    /// - Parameter properties: the names and hashes of all properties, inherited ones included.
    package func hash(
        of description: EntityDescription, superentity: Data?, properties: [(name: String, hash: Data)]
    ) -> Data {
        var input = Data(description.name.utf8)
        input.append(description.isAbstract ? 1 : 0)
        if let superentity { input.append(superentity) }
        for property in properties.sorted(by: { utf8Less($0.name, $1.name) }) { input.append(property.hash) }
        input.append(contentsOf: (description.versionHashModifier ?? "").utf8)
        let constraints = description.uniquenessConstraints.map { $0.joined(separator: ".") }
        for constraint in constraints.sorted(by: utf8Less) { input.append(contentsOf: constraint.utf8) }
        return sha256(input)
    }

    private func base(name: String, isOptional: Bool, modifier: String?) -> Data {
        var input = Data(name.utf8)
        input.append(isOptional ? 1 : 0)
        // The transient flag. Transient properties are not hashed.
        input.append(0)
        input.append(contentsOf: (modifier ?? "").utf8)
        return sha256(input)
    }

    /// The hash of an attribute, with the leaves of its composite.
    package func hash(of attribute: AttributeDescription) -> Data {
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

    /// The hash of a relationship. A relationship that is its own inverse is hashed without inverse.
    package func hash(of relationship: RelationshipDescription, isOwnInverse: Bool) -> Data {
        var input = base(
            name: relationship.name, isOptional: relationship.isOptional, modifier: relationship.versionHashModifier)
        input.append(contentsOf: relationship.destinationEntityName.utf8)
        if let inverse = relationship.inverseName, !isOwnInverse {
            input.append(contentsOf: inverse.utf8)
        }
        input.append(littleEndian: relationship.maxCount)
        input.append(littleEndian: relationship.minCount)
        if relationship.isOrdered { input.append(contentsOf: [1, 0]) }
        return sha256(input)
    }
}

extension Data {
    fileprivate mutating func append(littleEndian value: Int) {
        Swift.withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { append(contentsOf: $0) }
    }
}
