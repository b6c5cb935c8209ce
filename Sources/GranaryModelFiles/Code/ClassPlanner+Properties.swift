import GranaryModel

/// The properties of a class and their names.
extension ClassPlanner {
    /// Adds an entity's own properties to a class.
    mutating func planProperties(of entity: Schema.Entity, in index: Int) {
        // A subentity may repeat a property of its superentity.
        let inherited = entity.superentity.map { names(of: schema.entities[$0]) } ?? []
        let first = classes[index].properties.count
        for attribute in entity.description.attributes where !inherited.contains(attribute.name) {
            let name = propertyName(attribute.name, in: index)
            var planned = property(attribute, name: name, key: attribute.name, depth: 0)
            if case .attribute(_, isReadOnly: false) = planned.kind {
                planned.validationName = members[index].validations.take(
                    "validate" + SwiftIdentifier.capitalised(name))
            }
            classes[index].properties.append(planned)
        }
        let attributes = classes[index].properties
        for relationship in entity.description.relationships where !inherited.contains(relationship.name) {
            let name = propertyName(relationship.name, in: index)
            let planned = property(relationship, name: name, in: index)
            classes[index].properties.append(planned)
        }
        for fetched in entity.description.fetchedProperties where !inherited.contains(fetched.name) {
            let name = propertyName(fetched.name, in: index)
            let destination = schema.entity(named: fetched.fetchRequest.entityName)?.index
            let objectClass = destination.flatMap { className(ofDestination: $0) }
            classes[index].properties.append(
                PlannedProperty(
                    name: name, key: fetched.name, kind: .fetched(objectClass),
                    summary: "The fetched property `\(fetched.name)`."))
        }
        if hasPrimitives { planPrimitives(of: attributes.dropFirst(first), in: index) }
    }

    /// Adds properties for the values without change tracking. Their names give way to those of the model.
    private mutating func planPrimitives(of attributes: ArraySlice<PlannedProperty>, in index: Int) {
        for attribute in attributes {
            guard case .attribute(let access, let isReadOnly) = attribute.kind else { continue }
            let name = propertyName("primitive" + SwiftIdentifier.capitalised(attribute.name), in: index)
            classes[index].properties.append(
                PlannedProperty(
                    name: name, key: attribute.key, kind: .primitive(access, isReadOnly: isReadOnly),
                    summary: "The value of `\(attribute.key)` without change tracking, nil in a fault."))
        }
    }

    /// The names of an entity's own and inherited properties.
    private func names(of entity: Schema.Entity) -> Set<String> {
        var result: Set<String> = []
        var next: Schema.Entity? = entity
        while let current = next {
            result.formUnion(current.description.attributes.map(\.name))
            result.formUnion(current.description.relationships.map(\.name))
            result.formUnion(current.description.fetchedProperties.map(\.name))
            next = current.superentity.map { schema.entities[$0] }
        }
        return result
    }

    private mutating func propertyName(_ name: String, in index: Int) -> String {
        let types = classNames
        let structures = structureNames
        let identifier = members[index].properties.take(SwiftIdentifier.valid(name)) { candidate in
            ReservedNames.managedObject.contains(candidate) || Self.isNoProperty(candidate)
                || types.contains(candidate) || structures.contains(candidate)
        }
        propertyNames.insert(identifier)
        if identifier != name { note("the property \(name) is named \(identifier) in Swift", in: index) }
        return identifier
    }

    /// Notes something in the file of a class and for the user.
    private mutating func note(_ text: String, in index: Int) {
        let text = SwiftIdentifier.comment(text)
        classes[index].notes.append(text)
        notes.append("\(classes[index].entityName): \(text)")
    }

    /// Names of types are avoided because the properties' types would be looked up among the properties.
    private static func isNoProperty(_ name: String) -> Bool {
        SwiftIdentifier.impossible.contains(name) || TypeNames.all.contains(name)
    }

    private mutating func property(
        _ attribute: AttributeDescription, name: String, key: String, depth: Int
    ) -> PlannedProperty {
        // An enumeration of SwiftData is one value.
        let attribute = schema.model.enumeration(of: attribute) ?? attribute
        if attribute.type == .composite, depth < CompositeFlattener.depthLimit,
            let composite = schema.model.composites.first(where: { $0.name == attribute.compositeName })
        {
            return self.composite(attribute, composite, name: name, key: key, depth: depth)
        }
        let isReadOnly = attribute.derivationExpression != nil
        let words = [
            isReadOnly ? "derived" : nil, attribute.isTransient ? "transient" : nil,
            attribute.isOptional ? nil : "required",
        ].compactMap { $0 }
        return PlannedProperty(
            name: name, key: key, kind: .attribute(AttributeAccess(attribute), isReadOnly: isReadOnly),
            summary: "The \((words + ["attribute"]).joined(separator: " ")) `\(key)`: \(attribute.type.name).",
            isTransient: attribute.isTransient)
    }

    private mutating func composite(
        _ attribute: AttributeDescription, _ composite: CompositeDescription, name: String, key: String, depth: Int
    ) -> PlannedProperty {
        let taken = propertyNames
        let typeName = types.take(SwiftIdentifier.capitalised(name) + "Elements") { taken.contains($0) }
        structureNames.insert(typeName)
        let structures = structureNames
        var elementNames = SwiftNameSpace(taken: ReservedNames.composite)
        var elements: [PlannedProperty] = []
        for var element in composite.elements {
            // An absent composite is NULL in every element.
            element.isOptional = element.isOptional || attribute.isOptional
            let elementName = elementNames.take(SwiftIdentifier.valid(element.name)) { candidate in
                Self.isNoProperty(candidate) || structures.contains(candidate)
            }
            propertyNames.insert(elementName)
            if elementName != element.name {
                notes.append("\(key): the element \(element.name) is named \(elementName) in Swift")
            }
            elements.append(property(element, name: elementName, key: "\(key).\(element.name)", depth: depth + 1))
        }
        return PlannedProperty(
            name: name, key: key, kind: .composite(typeName: typeName, elements),
            summary: "The elements of the composite attribute `\(key)`.", isTransient: attribute.isTransient)
    }

    private mutating func property(
        _ relationship: RelationshipDescription, name: String, in index: Int
    ) -> PlannedProperty {
        let destination = schema.entity(named: relationship.destinationEntityName)?.index
        let objectClass = destination.flatMap { className(ofDestination: $0) }
        let kind: PlannedProperty.Kind
        if relationship.isToMany {
            kind = .toMany(objectClass, isOrdered: relationship.isOrdered, suffix: suffix(name, in: index))
        } else {
            kind = .toOne(objectClass)
        }
        let order = relationship.isOrdered && relationship.isToMany ? "ordered " : ""
        let count = relationship.isToMany ? "to-many" : "to-one"
        return PlannedProperty(
            name: name, key: relationship.name, kind: kind,
            summary:
                "The \(order)\(count) relationship `\(relationship.name)` to \(relationship.destinationEntityName).",
            isTransient: relationship.isTransient)
    }

    /// Returns the suffix of the names of a to-many relationship's methods, such as `Skills` in `addToSkills`.
    private mutating func suffix(_ name: String, in index: Int) -> String {
        let wanted = SwiftIdentifier.capitalised(name)
        let suffix = members[index].suffixes.take(wanted)
        if suffix != wanted {
            note(
                "the methods of the relationship \(name) are named addTo\(suffix) and removeFrom\(suffix) in Swift",
                in: index)
        }
        return suffix
    }
}
