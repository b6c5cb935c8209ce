/// One line for each thing that is not the same.
extension ModelComparison {
    mutating func facet(
        _ place: Place, _ what: String, _ from: String?, _ to: String?, _ migration: ModelDifference.Migration = .none
    ) {
        if !Self.same(from, to) { add(place, what, from, to, migration) }
    }

    mutating func facet(
        _ place: Place, _ what: String, _ from: Bool, _ to: Bool, _ migration: ModelDifference.Migration = .none
    ) {
        if from != to { add(place, what, "\(from)", "\(to)", migration) }
    }

    mutating func facet(
        _ place: Place, _ what: String, _ from: Int?, _ to: Int?, _ migration: ModelDifference.Migration = .none
    ) {
        if from != to { add(place, what, from.map { "\($0)" }, to.map { "\($0)" }, migration) }
    }

    mutating func facet(_ place: Place, _ what: String, _ from: AttributeValue?, _ to: AttributeValue?) {
        if from != to { add(place, what, from.map(FacetText.text), to.map(FacetText.text), .none) }
    }

    mutating func userInfoFacets(_ place: Place, _ from: [String: String], _ to: [String: String]) {
        for key in Set(from.keys).union(to.keys).sorted(by: utf8Less) {
            facet(place, "userInfo.\(key)", from[key], to[key])
        }
    }

    /// A renaming identifier that only says what ``RenamePairs`` have found anyway is no change of its own.
    mutating func identifierFacet(
        _ place: Place, _ from: (name: String, identifier: String?), _ to: (name: String, identifier: String?)
    ) {
        let (older, newer) = (from.identifier ?? from.name, to.identifier ?? to.name)
        // The name before, or the name itself once the renaming has been done everywhere.
        if newer == older || newer == from.name || newer == to.name { return }
        facet(place, "renamingIdentifier", from.identifier, to.identifier)
    }
}
