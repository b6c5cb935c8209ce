extension EntityDescription {
    /// Its own attributes, relationships and fetched properties.
    var ownProperties: [PropertyDescription] {
        var properties: [PropertyDescription] = attributes.map { PropertyDescription.attribute($0) }
        properties += relationships.map { PropertyDescription.relationship($0) }
        properties += fetchedProperties.map { PropertyDescription.fetchedProperty($0) }
        return properties
    }
}

extension PropertyDescription {
    var name: String {
        switch self {
        case .attribute(let property): property.name
        case .relationship(let property): property.name
        case .fetchedProperty(let property): property.name
        }
    }

    private var renamingIdentifier: String? {
        switch self {
        case .attribute(let property): property.renamingIdentifier
        case .relationship(let property): property.renamingIdentifier
        case .fetchedProperty(let property): property.renamingIdentifier
        }
    }

    /// The names for ``RenamePairs``.
    var pairItem: RenamePairs.Item { RenamePairs.Item(name, renamingIdentifier) }

    var subject: ModelDifference.Subject {
        switch self {
        case .attribute: .attribute
        case .relationship: .relationship
        case .fetchedProperty: .fetchedProperty
        }
    }

    /// Whether a store keeps it.
    var isPersistent: Bool {
        switch self {
        case .attribute(let property): !property.isTransient
        case .relationship(let property): !property.isTransient
        case .fetchedProperty: false
        }
    }

    /// Whether it can be the newer version of `old`.
    func continues(_ old: PropertyDescription) -> Bool {
        let (mine, theirs) = (pairItem, old.pairItem)
        let identifier = mine.identifier ?? mine.name
        return identifier == theirs.name || identifier == (theirs.identifier ?? theirs.name) || mine.name == theirs.name
    }
}
