extension ModelComparison {
    /// - Parameter oldEntity: the entity that declares it in the older version.
    mutating func compareRelationship(
        _ from: RelationshipDescription, _ to: RelationshipDescription, at place: Place, oldEntity: Int
    ) {
        let isKept = !from.isTransient && !to.isTransient
        func hashed(_ migration: ModelDifference.Migration) -> ModelDifference.Migration { isKept ? migration : .none }

        identifierFacet(place, (from.name, from.renamingIdentifier), (to.name, to.renamingIdentifier))
        if from.isTransient != to.isTransient {
            let appears = to.isTransient || !Self.needsObject(to) ? .inferred : Self.requiredLink
            facet(place, "isTransient", from.isTransient, to.isTransient, appears)
        }
        if !Self.same(newEntityName(from.destinationEntityName), to.destinationEntityName) {
            add(
                place, "destinationEntity", from.destinationEntityName, to.destinationEntityName,
                hashed(destinationMigration(from.destinationEntityName, to.destinationEntityName)))
        }
        if !Self.same(newInverseName(of: from), to.inverseName) {
            add(place, "inverse", from.inverseName, to.inverseName, hashed(.inferred))
        }
        facet(
            place, "isOptional", from.isOptional, to.isOptional,
            hashed(Self.needsObject(to) ? Self.requiredLink : .inferred))
        compareCounts(from, to, at: place, hashed)
        facet(place, "isOrdered", from.isOrdered, to.isOrdered, hashed(.inferred))
        facet(
            place, "versionHashModifier", from.versionHashModifier, to.versionHashModifier, hashed(.inferred))
        facet(place, "deleteRule", from.deleteRule.name, to.deleteRule.name)
        facet(place, "isIndexed", from.isIndexed, to.isIndexed)
        facet(place, "isIndexedBySpotlight", from.isIndexedBySpotlight, to.isIndexedBySpotlight)
        facet(place, "isStoredInExternalRecord", from.isStoredInExternalRecord, to.isStoredInExternalRecord)
        userInfoFacets(place, from.userInfo, to.userInfo)
        facet(place, "isSyncable", from.isSyncable, to.isSyncable, .granaryOnly)
    }

    private mutating func compareCounts(
        _ from: RelationshipDescription, _ to: RelationshipDescription, at place: Place,
        _ hashed: (ModelDifference.Migration) -> ModelDifference.Migration
    ) {
        let tightened = ModelDifference.Migration.inferredIfDataFits(
            check: "an object with too few or too many related objects breaks the rule")
        // No bound is 0, or −1 in models created in code.
        let (most, mostBefore) = (Self.bound(to.maxCount), Self.bound(from.maxCount))
        let maximum: ModelDifference.Migration =
            from.isToMany && !to.isToMany
            ? .unsure(
                reason: "Apple's document names this change, but nothing shows which of several related objects is kept"
            )
            : from.isToMany && most < mostBefore ? tightened : .inferred
        facet(place, "maxCount", from.maxCount, to.maxCount, hashed(maximum))
        facet(
            place, "minCount", from.minCount, to.minCount,
            hashed(to.minCount > from.minCount ? tightened : .inferred))
    }

    /// The migration of a relationship whose destination is another entity in the newer version.
    private func destinationMigration(_ from: String, _ to: String) -> ModelDifference.Migration {
        let name = newEntityName(from)
        let newer = new.entities.firstIndex { Self.same($0.name, name) }
        let destination = new.entities.firstIndex { Self.same($0.name, to) }
        if let newer, let destination {
            if newTree.isKind(newer, of: destination) { return .inferred }
            if newTree.isKind(destination, of: newer) {
                return .inferredIfDataFits(check: "links to objects of other entities than \(to) would be lost")
            }
        }
        return .needsMapping(reason: "existing links refer to objects of another entity")
    }

    private static func bound(_ maxCount: Int) -> Int { maxCount > 0 ? maxCount : .max }

    /// The newer name of the older inverse.
    private func newInverseName(of relationship: RelationshipDescription) -> String? {
        guard let inverse = relationship.inverseName else { return nil }
        guard let destination = oldTree.index(of: relationship.destinationEntityName) else { return inverse }
        return newPropertyName(inverse, of: destination)
    }

    /// The newer name of an older entity's property; the same name if it was removed or is a composite's leaf.
    func newPropertyName(_ name: String, of oldPlace: Int) -> String {
        var next: Int? = oldPlace
        while let place = next {
            if let found = old.entities[place].ownProperties.firstIndex(where: { $0.name == name }) {
                guard let newPlace = entities.newOfOld[place], let newFound = properties[place]?.newOfOld[found] else {
                    return name
                }
                return new.entities[newPlace].ownProperties[newFound].name
            }
            next = oldTree.parents[place]
        }
        return name
    }
}
