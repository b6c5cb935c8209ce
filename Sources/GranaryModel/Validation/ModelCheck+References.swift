import GranaryBase

extension ModelCheck {
    mutating func checkInheritance() {
        for (index, entity) in model.entities.enumerated() {
            guard let parent = entity.superentityName, tree.index(of: parent) == nil else { continue }
            report(.modelReference, "there is no entity \(quoted(parent)) to inherit from", model.entities[index].name)
        }
        for index in tree.cyclic {
            let entity = model.entities[index]
            let way = entity.superentityName.flatMap { $0 == entity.name ? nil : ", by way of \(quoted($0))" } ?? ""
            report(.modelInheritance, "the entity inherits from itself\(way)", entity.name)
        }
    }

    mutating func check(_ relationship: RelationshipDescription, of entity: EntityDescription, at index: Int) {
        let (name, property) = (entity.name, relationship.name)
        checkCounts(of: relationship, in: name)
        if relationship.isToMany, !relationship.isOptional, relationship.minCount == 0 {
            report(
                .modelRule,
                "the relationship is required but has no minimum count, so Core Data accepts it without objects; set a "
                    + "minimum count of 1 to require one", name, property, severity: .note)
        }
        guard let destination = tree.index(of: relationship.destinationEntityName) else {
            report(
                .modelReference, "there is no destination entity \(quoted(relationship.destinationEntityName))", name,
                property)
            return
        }
        guard let inverseName = relationship.inverseName else { return }
        guard let (owner, inverse) = self.relationship(named: inverseName, of: destination) else {
            report(
                .modelInverse,
                "its inverse \(quoted(inverseName)) is no relationship of "
                    + quoted(relationship.destinationEntityName), name, property)
            return
        }
        let path = quoted("\(model.entities[owner].name).\(inverseName)")
        if inverse.inverseName != relationship.name {
            reportOtherInverse(of: inverse, owner: owner, path: path, name, property)
        } else if !areRelated(inverse.destinationEntityName, index) {
            report(
                .modelInverse,
                "its inverse \(path) leads to \(quoted(inverse.destinationEntityName)), not to \(quoted(name))",
                name, property)
        }
    }

    private mutating func checkCounts(of relationship: RelationshipDescription, in entity: String) {
        let (least, most) = (relationship.minCount, relationship.maxCount)
        if least < 0 || (most > 0 && least > most) {
            report(
                .modelRule, "the minimum count \(least) is not between 0 and the maximum \(most)", entity,
                relationship.name)
        }
        // Version hashes contain counts as 32 bits.
        if Int32(exactly: least) == nil || Int32(exactly: most) == nil {
            report(.modelRule, "a count is not a number of 32 bits", entity, relationship.name)
        }
    }

    /// A real app's model (energy by Artsy) has two relationships with the same inverse, which names one of them as its
    /// inverse. Core Data compiles it, so the other relationship is only a warning.
    private mutating func reportOtherInverse(
        of inverse: RelationshipDescription, owner: Int, path: String, _ entity: String, _ property: String
    ) {
        guard let otherName = inverse.inverseName else {
            report(.modelInverse, "its inverse \(path) has no inverse itself", entity, property)
            return
        }
        if let destination = tree.index(of: inverse.destinationEntityName),
            let (_, other) = relationship(named: otherName, of: destination), other.inverseName == inverse.name,
            areRelated(other.destinationEntityName, owner)
        {
            report(
                .modelInverse,
                "its inverse \(path) is already the inverse of "
                    + "\(quoted("\(inverse.destinationEntityName).\(otherName)")); it is treated as a relationship "
                    + "without an inverse",
                entity, property, severity: .warning)
            return
        }
        report(
            .modelInverse, "its inverse \(path) names \(quoted(otherName)) as its own inverse", entity, property)
    }

    /// The own or inherited relationship with a name, and the entity that declares it.
    private func relationship(named name: String, of entity: Int) -> (owner: Int, RelationshipDescription)? {
        guard let member = members[entity][name], let place = member.relationship else { return nil }
        return (member.owner, model.entities[member.owner].relationships[place])
    }

    /// Whether one of two entities inherits from the other, or they are equal.
    private func areRelated(_ name: String, _ entity: Int) -> Bool {
        guard let other = tree.index(of: name) else { return false }
        return tree.isKind(entity, of: other) || tree.isKind(other, of: entity)
    }

    mutating func check(_ property: FetchedPropertyDescription, of entity: EntityDescription) {
        let target = property.fetchRequest.entityName
        if tree.index(of: target) == nil {
            report(.modelReference, "there is no entity \(quoted(target)) to fetch", entity.name, property.name)
        }
    }
}
