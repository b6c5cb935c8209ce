import GranaryCoordination
import GranaryModel

extension ModelInference {
    /// Adds the to-many relationships without an inverse, from columns `Z<n>NAME`.
    mutating func addOwners(_ columns: NumberedColumns) {
        for (column, number, upper) in columns.owners {
            guard let owner = entity(number), let name = takeName(upper, in: owner) else { continue }
            toManys["\(columns.table.name).\(column)"] = add(
                toMany(name, to: columns.table.root, inverse: nil), to: owner)
        }
    }

    /// Marks relationships as ordered, from columns `Z_FOK_…`.
    mutating func addOrders(_ columns: NumberedColumns) {
        for column in columns.orders {
            guard let rest = ColumnName.rest(ColumnName.orderPrefix, column) else { continue }
            let key = "\(columns.table.name).Z\(rest)"
            if let place = toManys[key] {
                entities[place.entity].relationships[place.index].isOrdered = true
            } else if let place = toOnes[key] {
                addOrderedInverse(of: place)
            }
        }
    }

    /// Adds the ordered to-many inverse of a to-one. Only its order column is in the store, so its name is made up.
    private mutating func addOrderedInverse(of place: Place) {
        let relationship = entities[place.entity].relationships[place.index]
        guard let destination = entities.firstIndex(where: { $0.name == relationship.destinationEntityName }) else {
            return
        }
        let stem = "\(entities[place.entity].name)_\(relationship.name)"
        let lowered = stem.prefix(1).lowercased() + stem.dropFirst()
        let root = roots[destination]
        var name = lowered
        var count = 1
        while !names[root, default: []].insert(name).inserted {
            count += 1
            name = "\(lowered)_\(count)"
        }
        var inverse = toMany(name, to: place.entity, inverse: relationship.name)
        inverse.isOrdered = true
        entities[place.entity].relationships[place.index].inverseName = name
        _ = add(inverse, to: destination)
    }

    /// Adds the two relationships of a join table. Its two key columns determine them: `Z_<n>NAME` holds the keys of
    /// entity n and is named after the relationship that refers to it. The table's name tells only whether a digit at
    /// the end of a column belongs to the name.
    mutating func addJoinTable(_ table: String) {
        guard let columns = present[table], ColumnName.isJoinTable(table) else { return }
        let keys = columns.filter { ColumnName.rest(ColumnName.orderPrefix, $0) == nil }
        guard keys.count == 2 else { return }
        if let reflexive = keys.firstIndex(of: StoreLayout.reflexiveColumn) {
            guard let (number, upper) = ColumnName.numbered("Z_", keys[1 - reflexive]), let owner = entity(number),
                let name = takeName(upper, in: owner)
            else { return }
            var relationship = toMany(name, to: owner, inverse: name)
            relationship.isOrdered = columns.contains(Self.orderColumn(of: StoreLayout.reflexiveColumn))
            _ = add(relationship, to: owner)
            return
        }
        guard let left = ColumnName.numbered("Z_", keys[0]), let right = ColumnName.numbered("Z_", keys[1]),
            let first = entity(left.number), let second = entity(right.number)
        else { return }
        // Each column's name is that of the relationship of the entity whose keys are in the other column.
        let (firstUpper, secondUpper) = names(left.rest, right.rest, numbers: (left.number, right.number), table)
        guard let name = takeName(secondUpper, in: first), let otherName = takeName(firstUpper, in: second) else {
            return
        }
        var relationship = toMany(name, to: second, inverse: otherName)
        relationship.isOrdered = columns.contains(Self.orderColumn(of: keys[1]))
        var inverse = toMany(otherName, to: first, inverse: name)
        inverse.isOrdered = columns.contains(Self.orderColumn(of: keys[0]))
        _ = add(relationship, to: first)
        _ = add(inverse, to: second)
    }

    /// The names after which two columns are named. The table has the name of one of them, which has no digit there.
    private func names(
        _ left: String, _ right: String, numbers: (Int, Int), _ table: String
    ) -> (String, String) {
        guard let (number, upper) = ColumnName.numbered("Z_", table) else { return (left, right) }
        // The naming entity's own column is the first.
        if number == numbers.0, ColumnName.isEqual(right, upToDigits: upper) { return (left, upper) }
        if number == numbers.1, ColumnName.isEqual(left, upToDigits: upper) { return (upper, right) }
        return (left, right)
    }

    /// `Z_4BOOKS` becomes `Z_FOK_4BOOKS`.
    private static func orderColumn(of column: String) -> String {
        ColumnName.orderPrefix + (ColumnName.rest("Z_", column) ?? column)
    }

    private func toMany(_ name: String, to destination: Int, inverse: String?) -> RelationshipDescription {
        var relationship = RelationshipDescription(
            name: name, destination: entities[destination].name, inverse: inverse)
        relationship.isOptional = true
        relationship.maxCount = 0
        relationship.notes[ManagedObjectModel.inferredNote] = "yes"
        return relationship
    }
}
