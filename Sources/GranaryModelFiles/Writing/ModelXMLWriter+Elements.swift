import GranaryModel

extension ModelXMLWriter {
    mutating func write(_ model: ManagedObjectModel) {
        element(model) { writer, _ in
            for entity in model.entities {
                writer.at(entity: entity.name) { $0.write(entity) }
            }
            for composite in model.composites {
                writer.at(entity: composite.name) { writer in
                    writer.element(composite) { writer, _ in
                        for attribute in composite.elements { writer.write(attribute) }
                    }
                }
            }
            for request in model.fetchRequestTemplates { writer.element(request) }
            for configuration in model.configurations {
                writer.element(configuration) { writer, extras in
                    for (index, name) in configuration.entityNames.enumerated() {
                        writer.plain("memberEntity", [("name", name)], "/memberEntity[\(index + 1)]", extras)
                    }
                }
            }
        }
    }

    private mutating func write(_ entity: EntityDescription) {
        element(entity) { writer, extras in
            for attribute in entity.attributes { writer.write(attribute) }
            for relationship in entity.relationships {
                writer.at(entity: entity.name, property: relationship.name) { writer in
                    writer.element(relationship) { $0.write(userInfo: relationship.userInfo, $1) }
                }
            }
            for property in entity.fetchedProperties {
                writer.at(entity: entity.name, property: property.name) { writer in
                    writer.element(property) { writer, extras in
                        writer.element(property.fetchRequest)
                        writer.write(userInfo: property.userInfo, extras)
                    }
                }
            }
            for index in entity.fetchIndexes {
                writer.element(index) { writer, _ in
                    for element in index.elements { writer.element(element) }
                }
            }
            writer.write("compoundIndexes", "compoundIndex", "index", entity.compoundIndexes, extras)
            writer.write(
                "uniquenessConstraints", "uniquenessConstraint", "constraint", entity.uniquenessConstraints, extras)
            writer.write(userInfo: entity.userInfo, extras)
        }
    }

    private mutating func write(_ attribute: AttributeDescription) {
        at(entity: entity, property: attribute.name) { writer in
            let entries = ValidationRuleEntries.entries(of: attribute.validationRules, beside: attribute.userInfo)
            guard let entries else {
                writer.problem("the model XML cannot hold this validation predicate")
                return
            }
            var plain = attribute
            plain.validationRules = []
            writer.element(plain) { $0.write(userInfo: entries, $1) }
        }
    }

    private mutating func write(userInfo: [String: String], _ extras: NoteExtras) {
        let path = "/userInfo"
        guard !userInfo.isEmpty || extras.attributes[path] != nil || extras.elements[path] != nil else { return }
        plain("userInfo", [], path, extras) { writer in
            for (index, entry) in userInfo.sorted(by: { $0.key < $1.key }).enumerated() {
                let attributes = [(name: "key", text: entry.key), (name: "value", text: entry.value)]
                writer.plain("entry", attributes, "\(path)/entry[\(index + 1)]", extras)
            }
        }
    }

    private mutating func write(
        _ list: String, _ group: String, _ member: String, _ groups: [[String]], _ extras: NoteExtras
    ) {
        let path = "/\(list)"
        guard !groups.isEmpty || extras.attributes[path] != nil || extras.elements[path] != nil else { return }
        plain(list, [], path, extras) { writer in
            for (index, names) in groups.enumerated() {
                let groupPath = "\(path)/\(group)[\(index + 1)]"
                writer.plain(group, [], groupPath, extras) { writer in
                    for (index, name) in names.enumerated() {
                        writer.plain(member, [("value", name)], "\(groupPath)/\(member)[\(index + 1)]", extras)
                    }
                }
            }
        }
    }
}
