import GranaryModel
import GranaryPropertyLists

extension ModelXMLReader {
    mutating func composite(_ place: Place) -> CompositeDescription {
        var composite = description(CompositeDescription.self, place)
        for child in tree.elements[place.element].children {
            guard tree.elements[child].name == AttributeDescription.elementName else {
                keepUnknown(Place(element: child), "", in: place.element, &composite.notes)
                continue
            }
            let property = tree.elements[child].attributes["name"]
            composite.elements.append(attribute(Place(element: child, entity: composite.name, property: property)))
        }
        return composite
    }

    mutating func configuration(_ place: Place) -> ConfigurationDescription {
        var configuration = description(ConfigurationDescription.self, place)
        for child in tree.elements[place.element].children {
            guard tree.elements[child].name == "memberEntity" else {
                keepUnknown(Place(element: child), "", in: place.element, &configuration.notes)
                continue
            }
            let path = "/memberEntity[\(configuration.entityNames.count + 1)]"
            let names = plain(Place(element: child), path, known: ["name"], &configuration.notes)
            configuration.entityNames.append((names.first ?? nil) ?? "")
            keepChildren(of: Place(element: child), path, &configuration.notes)
        }
        return configuration
    }

    mutating func fetchRequest(_ place: Place) -> FetchRequestTemplate {
        var request = description(FetchRequestTemplate.self, place)
        keepChildren(of: place, "", &request.notes)
        return request
    }

    /// Reads the user info of a property; it is all that a property holds, but for elements named `other`.
    mutating func readUserInfo(
        of place: Place, _ userInfo: inout [String: String], _ notes: inout [String: String], other: String? = nil
    ) {
        var isRead = false
        for child in tree.elements[place.element].children where tree.elements[child].name != other {
            let childPlace = Place(element: child, entity: place.entity, property: place.property)
            if tree.elements[child].name != "userInfo" {
                keepUnknown(childPlace, "", in: place.element, &notes)
            } else if isRead {
                problem(childPlace, "<userInfo> stands twice in one <\(tree.elements[place.element].name)>")
            } else {
                isRead = true
                userInfo = self.userInfo(childPlace, &notes)
            }
        }
    }

    mutating func userInfo(_ place: Place, _ notes: inout [String: String]) -> [String: String] {
        let path = "/userInfo"
        _ = plain(place, path, known: [], &notes)
        var entries: [(key: String, place: Place)] = []
        var result: [String: String] = [:]
        for child in tree.elements[place.element].children {
            let childPlace = Place(element: child, entity: place.entity, property: place.property)
            guard tree.elements[child].name == "entry" else {
                keepUnknown(childPlace, path, in: place.element, &notes)
                continue
            }
            let element = tree.elements[child]
            guard let key = element.attributes["key"], let value = element.attributes["value"] else {
                problem(
                    childPlace, "<entry> has no attribute \"\(element.attributes["key"] == nil ? "key" : "value")\"")
                continue
            }
            guard result.updateValue(value, forKey: key) == nil else {
                problem(childPlace, "the key stands twice in one <userInfo>", attribute: "key", value: key)
                continue
            }
            entries.append((key, childPlace))
        }
        // Entries are written in the order of their keys, so that is how their notes number them.
        entries.sort { $0.key < $1.key }
        for (index, entry) in entries.enumerated() {
            let entryPath = "\(path)/entry[\(index + 1)]"
            _ = plain(entry.place, entryPath, known: ["key", "value"], &notes)
            keepChildren(of: entry.place, entryPath, &notes)
        }
        return result
    }

    /// All children of an element that should have none.
    mutating func keepChildren(of place: Place, _ path: String, _ notes: inout [String: String]) {
        for child in tree.elements[place.element].children {
            let childPlace = Place(element: child, entity: place.entity, property: place.property)
            keepUnknown(childPlace, path, in: place.element, &notes)
        }
    }
}
