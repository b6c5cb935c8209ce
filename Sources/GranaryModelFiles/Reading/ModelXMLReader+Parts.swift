import GranaryModel
import GranaryPropertyLists

extension ModelXMLReader {
    mutating func composite(_ place: Place) -> CompositeDescription {
        var composite = description(CompositeDescription.self, place)
        for child in children(of: place, named: AttributeDescription.elementName, "", &composite.notes) {
            let property = tree.elements[child.element].attributes["name"]
            composite.elements.append(
                attribute(Place(element: child.element, entity: composite.name, property: property)))
        }
        return composite
    }

    mutating func configuration(_ place: Place) -> ConfigurationDescription {
        var configuration = description(ConfigurationDescription.self, place)
        for child in children(of: place, named: "memberEntity", "", &configuration.notes) {
            let path = "/memberEntity[\(configuration.entityNames.count + 1)]"
            let names = plain(child, path, known: ["name"], &configuration.notes)
            configuration.entityNames.append((names.first ?? nil) ?? "")
            keepChildren(of: child, path, &configuration.notes)
        }
        return configuration
    }

    mutating func fetchRequest(_ place: Place) -> FetchRequestTemplate {
        var request = description(FetchRequestTemplate.self, place)
        keepChildren(of: place, "", &request.notes)
        return request
    }

    /// Reads the user info of a property, its only child element except elements named `other`.
    mutating func readUserInfo(
        of place: Place, _ userInfo: inout [String: UserInfoValue], _ notes: inout [String: String],
        other: String? = nil
    ) {
        var isRead = false
        for child in tree.elements[place.element].children where tree.elements[child].name != other {
            let childPlace = Place(element: child, entity: place.entity, property: place.property)
            if tree.elements[child].name != "userInfo" {
                keepUnknown(childPlace, "", in: place.element, &notes)
            } else if isRead {
                problem(childPlace, "<userInfo> occurs twice in one <\(tree.elements[place.element].name)>")
            } else {
                isRead = true
                userInfo = self.userInfo(childPlace, &notes)
            }
        }
    }

    mutating func userInfo(_ place: Place, _ notes: inout [String: String]) -> [String: UserInfoValue] {
        let path = "/userInfo"
        _ = plain(place, path, known: [], &notes)
        var entries: [(key: String, place: Place)] = []
        var result: [String: UserInfoValue] = [:]
        for child in children(of: place, named: "entry", path, &notes) {
            let attributes = tree.elements[child.element].attributes
            guard let key = attributes["key"], let value = attributes["value"] else {
                problem(child, "<entry> has no attribute \"\(attributes["key"] == nil ? "key" : "value")\"")
                continue
            }
            guard result.updateValue(.string(value), forKey: key) == nil else {
                problem(child, "the key occurs twice in one <userInfo>", attribute: "key", value: key)
                continue
            }
            entries.append((key, child))
        }
        // Entries are written in the order of their keys, so their notes are numbered in that order.
        entries.sort { $0.key < $1.key }
        for (index, entry) in entries.enumerated() {
            let entryPath = "\(path)/entry[\(index + 1)]"
            _ = plain(entry.place, entryPath, known: ["key", "value"], &notes)
            keepChildren(of: entry.place, entryPath, &notes)
        }
        return result
    }

    /// Keeps all children of an element that should have none.
    mutating func keepChildren(of place: Place, _ path: String, _ notes: inout [String: String]) {
        _ = children(of: place, named: nil, path, &notes)
    }

    /// The places of the children with a name. Keeps the other children, which are unknown.
    mutating func children(
        of place: Place, named name: String?, _ path: String, _ notes: inout [String: String]
    ) -> [Place] {
        var named: [Place] = []
        for child in tree.elements[place.element].children {
            let childPlace = Place(element: child, entity: place.entity, property: place.property)
            if tree.elements[child].name == name {
                named.append(childPlace)
            } else {
                keepUnknown(childPlace, path, in: place.element, &notes)
            }
        }
        return named
    }
}
