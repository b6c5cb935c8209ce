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

    /// Adds the two relationships of a join table.
    mutating func addJoinTable(_ table: String) {
        guard let columns = present[table], let (number, upper) = ColumnName.numbered("Z_", table),
            let owner = entity(number)
        else { return }
        let keys = columns.filter { ColumnName.rest(ColumnName.orderPrefix, $0) == nil }
        guard keys.count == 2 else { return }
        if keys[1] == StoreLayout.reflexiveColumn {
            guard keys[0] == "Z_\(number)\(upper)", let name = takeName(upper, in: owner) else { return }
            var relationship = toMany(name, to: owner, inverse: name)
            relationship.isOrdered = columns.contains(Self.orderColumn(of: keys[1]))
            _ = add(relationship, to: owner)
            return
        }
        // The column named after the table's relationship holds the keys of the other entity.
        let places = [(0, 1), (1, 0)].filter { first, second in
            guard let (otherNumber, name) = ColumnName.numbered("Z_", keys[second]),
                let (firstNumber, _) = ColumnName.numbered("Z_", keys[first])
            else { return false }
            return firstNumber == number && otherNumber >= number && ColumnName.isEqual(name, upToDigits: upper)
        }
        guard let (first, second) = places.first, let (otherNumber, _) = ColumnName.numbered("Z_", keys[second]),
            let (_, otherUpper) = ColumnName.numbered("Z_", keys[first]), let other = entity(otherNumber),
            let name = takeName(upper, in: owner), let otherName = takeName(otherUpper, in: other)
        else { return }
        var relationship = toMany(name, to: other, inverse: otherName)
        relationship.isOrdered = columns.contains(Self.orderColumn(of: keys[second]))
        var inverse = toMany(otherName, to: owner, inverse: name)
        inverse.isOrdered = columns.contains(Self.orderColumn(of: keys[first]))
        _ = add(relationship, to: owner)
        _ = add(inverse, to: other)
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
