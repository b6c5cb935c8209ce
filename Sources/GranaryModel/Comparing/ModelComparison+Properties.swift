extension ModelComparison {
    mutating func compareProperties(_ oldPlace: Int, _ newPlace: Int) {
        guard let pairs = properties[oldPlace] else { return }
        let entity = new.entities[newPlace].name
        let (from, to) = (old.entities[oldPlace].ownProperties, new.entities[newPlace].ownProperties)
        for place in to.indices.sorted(by: { utf8Less(to[$0].name, to[$1].name) }) {
            if let found = pairs.oldOfNew[place] {
                compareProperty(from[found], to[place], in: entity, oldEntity: oldPlace)
            } else if let (owner, property) = inherited(oldPlace, in: old, oldTree, where: to[place].continues) {
                move(property, to[place], in: entity, from: old.entities[owner].name, to: entity, oldEntity: owner)
            } else {
                addProperty(to[place], in: entity, place: newPlace)
            }
        }
        let gone = from.indices.filter { pairs.newOfOld[$0] == nil }.sorted { utf8Less(from[$0].name, from[$1].name) }
        for place in gone {
            let property = from[place]
            if let (owner, now) = inherited(newPlace, in: new, newTree, where: { $0.continues(property) }) {
                move(property, now, in: entity, from: entity, to: new.entities[owner].name, oldEntity: oldPlace)
            } else {
                let migration: ModelDifference.Migration = property.isPersistent ? .inferred : .none
                add(
                    Place(entity: entity, property: property.name, subject: property.subject), "removed", nil, nil,
                    migration)
            }
        }
    }

    private func inherited(
        _ place: Int, in model: ManagedObjectModel, _ tree: EntityTree, where matches: (PropertyDescription) -> Bool
    ) -> (owner: Int, property: PropertyDescription)? {
        var next = tree.parents[place]
        while let owner = next {
            if let property = model.entities[owner].ownProperties.first(where: matches) { return (owner, property) }
            next = tree.parents[owner]
        }
        return nil
    }

    /// Reports a property that moved in the hierarchy: the entity has it before and after. ("You can move properties up
    /// and down in a hierarchy")
    private mutating func move(
        _ property: PropertyDescription, _ now: PropertyDescription, in entity: String, from: String, to: String,
        oldEntity: Int
    ) {
        let migration: ModelDifference.Migration =
            property.isPersistent || now.isPersistent ? .inferred : .none
        add(Place(entity: entity, property: now.name, subject: now.subject), "moved", from, to, migration)
        compareProperty(property, now, in: entity, oldEntity: oldEntity)
    }

    private mutating func addProperty(_ property: PropertyDescription, in entity: String, place newPlace: Int) {
        let place = Place(entity: entity, property: property.name, subject: property.subject)
        var migration: ModelDifference.Migration = property.isPersistent ? .inferred : .none
        switch property {
        case .attribute(let attribute) where Self.needsDefault(attribute) && isMissing(property, in: newPlace):
            migration = Self.noDefault
        case .relationship(let relationship) where property.isPersistent && Self.needsObject(relationship):
            migration = Self.requiredLink
        default: break
        }
        add(place, "added", nil, nil, migration)
    }

    /// Reports the required properties that an entity inherits from a new superentity.
    mutating func addGained(_ newPlace: Int) {
        let entity = new.entities[newPlace].name
        var next = newTree.parents[newPlace]
        while let owner = next {
            for property in new.entities[owner].ownProperties.sorted(by: { utf8Less($0.name, $1.name) }) {
                let migration: ModelDifference.Migration
                switch property {
                case .attribute(let attribute) where Self.needsDefault(attribute): migration = Self.noDefault
                case .relationship(let relationship) where property.isPersistent && Self.needsObject(relationship):
                    migration = Self.requiredLink
                default: continue
                }
                guard !isNew(property, in: owner), isMissing(property, in: newPlace) else { continue }
                add(
                    Place(entity: entity, property: property.name, subject: property.subject), "added", nil, nil,
                    migration)
            }
            next = newTree.parents[owner]
        }
    }

    /// Whether the property is new in an entity that existed before, so that it is reported there.
    private func isNew(_ property: PropertyDescription, in newPlace: Int) -> Bool {
        guard let oldPlace = entities.oldOfNew[newPlace] else { return false }
        return !had(oldPlace, property)
    }

    private func had(_ oldPlace: Int, _ property: PropertyDescription) -> Bool {
        old.entities[oldPlace].ownProperties.contains(where: property.continues)
            || inherited(oldPlace, in: old, oldTree, where: property.continues) != nil
    }

    static let noDefault = ModelDifference.Migration.inferredIfDataFits(
        check: "each object needs a value, because the required attribute has no default value")
    static let requiredLink = ModelDifference.Migration.inferredIfDataFits(
        check: "an object without a related object breaks the rule")

    /// Whether an object without related objects breaks the rule. A required to-many without a minimum may be empty.
    static func needsObject(_ relationship: RelationshipDescription) -> Bool {
        !relationship.isOptional && (!relationship.isToMany || relationship.minCount > 0)
    }

    /// Composites are excluded, because their elements have defaults.
    static func needsDefault(_ attribute: AttributeDescription) -> Bool {
        !attribute.isTransient && !attribute.isOptional && attribute.defaultValue == nil
            && attribute.derivationExpression == nil && attribute.type != .composite
    }

    /// Whether existing objects of the entity or its subentities can gain the property.
    private func isMissing(_ property: PropertyDescription, in newPlace: Int) -> Bool {
        new.entities.indices.contains { place in
            guard newTree.isKind(place, of: newPlace), let oldPlace = entities.oldOfNew[place],
                !old.entities[oldPlace].isAbstract
            else { return false }
            return !had(oldPlace, property)
        }
    }

    private mutating func compareProperty(
        _ from: PropertyDescription, _ to: PropertyDescription, in entity: String, oldEntity: Int
    ) {
        let place = Place(entity: entity, property: to.name, subject: to.subject)
        let isKept = from.isPersistent && to.isPersistent
        facet(place, "renamed", from.name, to.name, isKept ? .inferred : .none)
        switch (from, to) {
        case (.attribute(let from), .attribute(let to)): compareAttribute(from, to, at: place)
        case (.relationship(let from), .relationship(let to)):
            compareRelationship(from, to, at: place, oldEntity: oldEntity)
        case (.fetchedProperty(let from), .fetchedProperty(let to)):
            facet(place, "fetchRequest", FacetText.text(from.fetchRequest), FacetText.text(to.fetchRequest))
            facet(place, "isOptional", from.isOptional, to.isOptional)
            facet(place, "versionHashModifier", from.versionHashModifier, to.versionHashModifier)
            facet(place, "isSyncable", from.isSyncable, to.isSyncable, .granaryOnly)
            userInfoFacets(place, from.userInfo, to.userInfo)
        default:
            let migration: ModelDifference.Migration =
                isKept
                ? .unsure(
                    reason: "values are not converted; an app was released with such a change and without a mapping "
                        + "model, so that the old property was dropped and the new one added")
                : from.isPersistent || to.isPersistent ? .inferred : .none
            add(place, "kind", from.subject.rawValue, to.subject.rawValue, migration)
        }
    }
}
