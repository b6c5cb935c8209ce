extension ModelComparison {
    /// A constraint whose properties were only renamed is the same.
    mutating func compareConstraints(_ oldPlace: Int, _ newPlace: Int) {
        let entity = new.entities[newPlace]
        let place = Place(entity: entity.name, subject: .uniquenessConstraint)
        let before = old.entities[oldPlace].uniquenessConstraints.map { names in
            FacetText.text(names.map { newPropertyName($0, of: oldPlace) })
        }
        let now = entity.uniquenessConstraints.map(FacetText.text)
        let added = ModelDifference.Migration.lightweight(
            warning: "the migration fails where existing objects share these values")
        for name in Self.missing(now, in: before) { add(place, "added", nil, name, added) }
        for name in Self.missing(before, in: now) { add(place, "removed", name, nil, Self.lightweight) }
    }

    /// The version hash knows no indexes, so a store gets new ones only when something else makes it migrate.
    mutating func compareIndexes(_ oldPlace: Int, _ newPlace: Int) {
        let (from, to) = (old.entities[oldPlace], new.entities[newPlace])
        let before = Dictionary(from.fetchIndexes.map { ($0.name, $0) }) { first, _ in first }
        let now = Dictionary(to.fetchIndexes.map { ($0.name, $0) }) { first, _ in first }
        for name in Set(before.keys).union(now.keys).sorted(by: utf8Less) {
            let place = Place(entity: to.name, property: name, subject: .index)
            let text = before[name].map { FacetText.text($0) { newPropertyName($0, of: oldPlace) } }
            listed(place, "elements", text, now[name].map { FacetText.text($0) })
        }
        let place = Place(entity: to.name, subject: .index)
        let compounds = from.compoundIndexes.map { names in
            FacetText.text(names.map { newPropertyName($0, of: oldPlace) })
        }
        let newCompounds = to.compoundIndexes.map(FacetText.text)
        for name in Self.missing(newCompounds, in: compounds) { add(place, "added", nil, name, .none) }
        for name in Self.missing(compounds, in: newCompounds) { add(place, "removed", name, nil, .none) }
    }

    /// Something of the newer or the older version that goes by its name: added, removed, or changed in this.
    mutating func listed(
        _ place: Place, _ what: String, _ from: String?, _ to: String?, _ migration: ModelDifference.Migration = .none
    ) {
        facet(place, from == nil ? "added" : to == nil ? "removed" : what, from, to, migration)
    }

    /// Those of `left` that `right` does not have, once each, by name.
    private static func missing(_ left: [String], in right: [String]) -> [String] {
        Set(left).subtracting(right).sorted(by: utf8Less)
    }
}
