import GranaryModel
import GranaryPropertyLists

extension ModelXMLReader {
    mutating func entity(_ index: Int) -> EntityDescription {
        let name = tree.elements[index].attributes["name"]
        let place = Place(element: index, entity: name)
        var entity = description(EntityDescription.self, place)
        var seen: Set<String> = []
        for child in tree.elements[index].children {
            let element = tree.elements[child]
            let property = element.attributes["name"]
            switch element.name {
            case AttributeDescription.elementName:
                entity.attributes.append(attribute(Place(element: child, entity: name, property: property)))
            case RelationshipDescription.elementName:
                let place = Place(element: child, entity: name, property: property)
                var relationship = description(RelationshipDescription.self, place)
                readUserInfo(of: place, &relationship.userInfo, &relationship.notes)
                entity.relationships.append(relationship)
            case FetchedPropertyDescription.elementName:
                entity.fetchedProperties.append(
                    fetchedProperty(Place(element: child, entity: name, property: property)))
            case FetchIndexDescription.elementName:
                entity.fetchIndexes.append(fetchIndex(Place(element: child, entity: name)))
            case "uniquenessConstraints", "compoundIndexes", "userInfo":
                guard seen.insert(element.name).inserted else {
                    problem(Place(element: child, entity: name), "<\(element.name)> occurs twice in one entity")
                    continue
                }
                readList(Place(element: child, entity: name), into: &entity)
            default: keepUnknown(Place(element: child, entity: name), "", in: index, &entity.notes)
            }
        }
        return entity
    }

    mutating func attribute(_ place: Place) -> AttributeDescription {
        var attribute = description(AttributeDescription.self, place)
        readUserInfo(of: place, &attribute.userInfo, &attribute.notes)
        (attribute.validationRules, attribute.userInfo) = ValidationRuleEntries.take(from: attribute.userInfo)
        EncodedDefault.restore(&attribute)
        return attribute
    }

    private mutating func readList(_ place: Place, into entity: inout EntityDescription) {
        switch tree.elements[place.element].name {
        case "uniquenessConstraints":
            entity.uniquenessConstraints = groups(place, of: "uniquenessConstraint", "constraint", &entity.notes)
        case "compoundIndexes":
            entity.compoundIndexes = groups(place, of: "compoundIndex", "index", &entity.notes)
        default: entity.userInfo = userInfo(place, &entity.notes)
        }
    }

    /// `<uniquenessConstraints>` and `<compoundIndexes>`: a list of lists of property names.
    private mutating func groups(
        _ place: Place, of group: String, _ member: String, _ notes: inout [String: String]
    ) -> [[String]] {
        let path = "/\(tree.elements[place.element].name)"
        _ = plain(place, path, known: [], &notes)
        var result: [[String]] = []
        for child in children(of: place, named: group, path, &notes) {
            let groupPath = "\(path)/\(group)[\(result.count + 1)]"
            _ = plain(child, groupPath, known: [], &notes)
            var names: [String] = []
            for grandchild in children(of: child, named: member, groupPath, &notes) {
                let memberPath = "\(groupPath)/\(member)[\(names.count + 1)]"
                names.append((plain(grandchild, memberPath, known: ["value"], &notes).first ?? nil) ?? "")
                keepChildren(of: grandchild, memberPath, &notes)
            }
            result.append(names)
        }
        return result
    }

    private mutating func fetchIndex(_ place: Place) -> FetchIndexDescription {
        var index = description(FetchIndexDescription.self, place)
        for child in children(of: place, named: FetchIndexDescription.Element.elementName, "", &index.notes) {
            var element = description(FetchIndexDescription.Element.self, child)
            keepChildren(of: child, "", &element.notes)
            index.elements.append(element)
        }
        return index
    }

    private mutating func fetchedProperty(_ place: Place) -> FetchedPropertyDescription {
        var property = description(FetchedPropertyDescription.self, place)
        var requests = 0
        readUserInfo(of: place, &property.userInfo, &property.notes, other: FetchRequestTemplate.elementName)
        for child in tree.elements[place.element].children
        where tree.elements[child].name == FetchRequestTemplate.elementName {
            requests += 1
            property.fetchRequest = fetchRequest(
                Place(element: child, entity: place.entity, property: place.property))
        }
        if requests != 1 {
            problem(place, "<fetchedProperty> has \(requests) fetch requests instead of one")
        }
        return property
    }
}
