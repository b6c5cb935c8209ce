import GranaryCoordination
import GranaryModel

/// Comparison of rows with stored objects.
extension ParsedRows {
    /// A property whose value differs.
    struct Property {
        let name: String
        let slot: Int
        var relationship: Schema.Relationship?
    }

    /// The attributes and to-ones that a row sets to another value than the stored one.
    ///
    /// - Parameter place: the row of the object in `stored`.
    func changedProperties(
        _ row: Int, _ merge: Merge, _ entity: Schema.Entity, _ stored: borrowing RowBatch, _ place: Int
    ) -> [Property] {
        var changed: [Property] = []
        for attribute in entity.attributes where sets(attribute.slot, merge) {
            if !rows.hasValue(row: row, slot: attribute.slot, of: stored, row: place) {
                changed.append(Property(name: attribute.name, slot: attribute.slot))
            }
        }
        for relationship in entity.relationships where !relationship.isToMany && sets(relationship.slot, merge) {
            if !rows.hasValue(row: row, slot: relationship.slot, of: stored, row: place) {
                changed.append(
                    Property(name: relationship.name, slot: relationship.slot, relationship: relationship))
            }
        }
        return changed
    }
}
