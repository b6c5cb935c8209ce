/// The comparison of everything that belongs to no entity.
extension ModelComparison {
    mutating func compareWhole() {
        compareComposites()
        let configurations = (Self.configurations(of: old, name: newEntityName), Self.configurations(of: new) { $0 })
        compareLists(configurations.0, configurations.1, .configuration, "entities")
        compareLists(Self.fetchRequests(of: old), Self.fetchRequests(of: new), .fetchRequest, "fetchRequest")
        let identifiers = [old, new].map { FacetText.text(Set($0.versionIdentifiers).sorted(by: utf8Less)) }
        facet(Place(subject: .model), "versionIdentifiers", identifiers[0], identifiers[1])
    }

    private mutating func compareLists(
        _ from: [String: String], _ to: [String: String], _ subject: ModelDifference.Subject, _ what: String
    ) {
        for name in Set(from.keys).union(to.keys).sorted(by: utf8Less) {
            listed(Place(property: name, subject: subject), what, from[name], to[name])
        }
    }

    private static func configurations(
        of model: ManagedObjectModel, name: (String) -> String
    ) -> [String: String] {
        let texts = model.configurations.map { configuration in
            (configuration.name, FacetText.text(configuration.entityNames.map(name).sorted(by: utf8Less)))
        }
        return Dictionary(texts) { first, _ in first }
    }

    private static func fetchRequests(of model: ManagedObjectModel) -> [String: String] {
        Dictionary(model.fetchRequestTemplates.map { ($0.name, FacetText.text($0)) }) { first, _ in first }
    }

    /// Only model sources have composites; compiled models contain their elements in each attribute.
    private mutating func compareComposites() {
        let before = Dictionary(old.composites.map { ($0.name, $0) }) { first, _ in first }
        let now = Dictionary(new.composites.map { ($0.name, $0) }) { first, _ in first }
        for name in Set(before.keys).union(now.keys).sorted(by: utf8Less) {
            guard let from = before[name], let to = now[name] else {
                let what = before[name] == nil ? "added" : "removed"
                add(Place(property: name, subject: .composite), what, nil, nil, .granaryOnly)
                continue
            }
            let pairs = RenamePairs(
                old: from.elements.map { RenamePairs.Item($0.name, $0.renamingIdentifier) },
                new: to.elements.map { RenamePairs.Item($0.name, $0.renamingIdentifier) })
            for (index, element) in to.elements.enumerated() {
                let place = Place(property: "\(name).\(element.name)", subject: .composite)
                guard let found = pairs.oldOfNew[index] else {
                    add(place, "added", nil, nil, Self.needsDefault(element) ? Self.noDefault : Self.unnamed)
                    continue
                }
                facet(place, "renamed", from.elements[found].name, element.name, Self.unnamed)
                compareAttribute(from.elements[found], element, at: place)
            }
            for (index, element) in from.elements.enumerated() where pairs.newOfOld[index] == nil {
                add(Place(property: "\(name).\(element.name)", subject: .composite), "removed", nil, nil, Self.unnamed)
            }
        }
    }
}
