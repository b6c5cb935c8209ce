package import GranaryModel

/// The attributes by which objects of an entity can be named: those of a uniqueness constraint.
///
/// Attributes have the same slot in every subentity, so the key of the declared destination reads any object there.
package struct NaturalKey: Sendable {
    package let attributes: [Schema.Attribute]

    /// The first constraint of one attribute; with `allowsSeveral`, failing that, the first of several.
    ///
    /// The importer finds the key of a destination by the same rule. A constraint over a relationship is no key.
    package init?(of entity: Schema.Entity, allowsSeveral: Bool) {
        let constraints = entity.uniquenessConstraints.compactMap { Self.attributes(of: $0, in: entity) }
        guard
            let found = constraints.first(where: { $0.count == 1 })
                ?? (allowsSeveral ? constraints.first { $0.count > 1 } : nil)
        else { return nil }
        attributes = found
    }

    private static func attributes(
        of constraint: Schema.UniquenessConstraint, in entity: Schema.Entity
    ) -> [Schema.Attribute]? {
        var found: [Schema.Attribute] = []
        for property in constraint.properties {
            guard case .attribute(let index) = property, entity.attributes.indices.contains(index) else { return nil }
            let attribute = entity.attributes[index]
            guard attribute.isPersistent else { return nil }
            found.append(attribute)
        }
        return found.isEmpty ? nil : found
    }
}
