extension Schema {
    /// Whether the rules for an entity's version hash are not settled by any store or compiled model that is known: what
    /// is worked out may be another than Core Data's.
    ///
    /// These are derived attributes other than counts and key paths, a uniqueness constraint beside a hash modifier, an
    /// attribute with external storage that is preserved after a deletion, relationships that are their own inverse,
    /// properties that a superentity has already, and names beyond ASCII. A superentity's hash is part of its
    /// subentities'.
    package func hasUnsettledHash(_ entity: Entity) -> Bool {
        var next: Entity? = entity
        while let current = next {
            if isUnsettled(current) { return true }
            next = current.superentity.map { entities[$0] }
        }
        return false
    }

    private func isUnsettled(_ entity: Entity) -> Bool {
        let description = entity.description
        let names = description.attributes.map(\.name) + description.relationships.map(\.name) + [description.name]
        if names.contains(where: { $0.utf8.contains { $0 >= 0x80 } }) { return true }
        if !description.uniquenessConstraints.isEmpty, description.versionHashModifier != nil { return true }
        if let superentity = entity.superentity,
            !entities[superentity].propertyNames.isDisjoint(with: description.propertyNames)
        {
            return true
        }
        if description.attributes.contains(where: isUnsettled) { return true }
        return description.relationships.contains { relationship in
            relationship.destinationEntityName == description.name && relationship.inverseName == relationship.name
        }
    }

    private func isUnsettled(_ attribute: AttributeDescription) -> Bool {
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
