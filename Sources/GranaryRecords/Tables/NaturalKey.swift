import GranaryBase
import GranaryFormats
package import GranaryModel
import GranaryPredicates

/// The attributes that identify an object of an entity: the properties of a uniqueness constraint.
///
/// Attributes have the same slot in every subentity, so the key of the declared destination reads any of its objects.
package struct NaturalKey: Sendable {
    package let attributes: [Schema.Attribute]

    /// Uses the first constraint of one attribute or, with `allowsSeveral`, otherwise the first of several.
    ///
    /// The importer uses the same rule. A constraint with a relationship is not a key.
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
