extension Schema {
    /// Whether no known store or compiled model confirms the rules for an entity's version hash, so that the computed
    /// hash can differ from Core Data's.
    ///
    /// The unconfirmed cases are: derived attributes other than counts and key paths, an attribute with external
    /// storage that is preserved after deletion, properties that a superentity also has, and non-ASCII names. A
    /// superentity's hash is part of its subentities' hashes.
    package func hasUnconfirmedHash(_ entity: Entity) -> Bool {
        var next: Entity? = entity
        while let current = next {
            if isUnconfirmed(current) { return true }
            next = current.superentity.map { entities[$0] }
        }
        return false
    }

    private func isUnconfirmed(_ entity: Entity) -> Bool {
        let description = entity.description
        let names = description.attributes.map(\.name) + description.relationships.map(\.name) + [description.name]
        if names.contains(where: { $0.utf8.contains { $0 >= 0x80 } }) { return true }
        if let superentity = entity.superentity,
            !entities[superentity].propertyNames.isDisjoint(with: description.propertyNames)
        {
            return true
        }
        return description.attributes.contains(where: isUnconfirmed)
    }

    private func isUnconfirmed(_ attribute: AttributeDescription) -> Bool {
        if attribute.allowsExternalBinaryDataStorage, attribute.preservesValueInHistoryOnDeletion { return true }
        if let expression = attribute.derivationExpression {
            let path = expression.hasSuffix(".@count") ? String(expression.dropLast(7)) : expression
            return !path.utf8.allSatisfy { byte in
                byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || (48...57).contains(byte)
                    || (65...90).contains(byte & 0xDF)
            }
        }
        return false
    }
}
