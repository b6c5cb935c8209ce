import GranaryModel

/// The columns of a table by the property that they store, so that the columns of an entity are found in time
/// proportional to its properties. A table has the columns of all entities of its hierarchy.
struct ColumnPlaces {
    private struct Key: Hashable {
        let entity: Int
        let slot: Int
        let content: Content
    }

    private enum Content: Hashable {
        case attribute, reference, referenceEntity
        case enumerationCase(Int)
    }

    private var places: [Key: Int] = [:]

    init(_ columns: [EntityTable.Column]) {
        for (place, column) in columns.enumerated() {
            let content: Content
            switch column.content {
            case .attribute: content = .attribute
            case .enumerationCase(let number): content = .enumerationCase(number)
            case .reference: content = .reference
            case .referenceEntity: content = .referenceEntity
            case .order, .owner: continue
            }
            places[Key(entity: column.entity, slot: column.slot, content: content)] = place
        }
    }

    /// The column with the key of a relationship; nil if there is none.
    func reference(entity: Int, slot: Int) -> Int? { places[Key(entity: entity, slot: slot, content: .reference)] }

    /// The columns of an entity's own and inherited properties, in the order of the table. Columns of other branches of
    /// the hierarchy, and of relationships of other objects, are left out.
    func columns(of entity: Schema.Entity) -> [(place: Int, property: Schema.Slot)] {
        var found: [(place: Int, property: Schema.Slot)] = []
        for (index, attribute) in entity.attributes.enumerated() {
            for content in attribute.cases?.indices.map(Content.enumerationCase) ?? [.attribute] {
                let key = Key(entity: attribute.owner, slot: attribute.slot, content: content)
                if let place = places[key] { found.append((place, .attribute(index))) }
            }
        }
        for (index, relationship) in entity.relationships.enumerated() {
            for content in [Content.reference, .referenceEntity] {
                let key = Key(entity: relationship.owner, slot: relationship.slot, content: content)
                if let place = places[key] { found.append((place, .relationship(index))) }
            }
        }
        return found.sorted { $0.place < $1.place }
    }
}
