import GranaryModel

/// The text of `model show`.
enum ModelText {
    static func text(of schema: Schema) -> String {
        schema.entities.map { text(of: $0, schema) }.joined(separator: "\n")
    }

    private static func text(of entity: Schema.Entity, _ schema: Schema) -> String {
        var title = "\(entity.name)  (number \(entity.number)"
        if entity.isAbstract { title += ", abstract" }
        if let parent = entity.superentity { title += ", parent \(schema.entities[parent].name)" }
        var table = TextTable(indent: "  ")
        for attribute in entity.attributes {
            table.add(
                attribute.name, attribute.type.name,
                presence(attribute.description.isOptional, PropertyRules.rules(of: attribute.description)))
        }
        for relationship in entity.relationships {
            let inverse = relationship.description.inverseName.map { ", inverse \($0)" } ?? ""
            let arrow = relationship.isToMany ? "→→" : "→"
            table.add(
                relationship.name, "\(arrow) \(schema.entities[relationship.destination].name)\(inverse)",
                presence(relationship.description.isOptional, PropertyRules.rules(of: relationship.description)))
        }
        for property in entity.description.fetchedProperties {
            table.add(
                property.name, "fetched \(property.fetchRequest.entityName)",
                property.fetchRequest.predicateFormat ?? "")
        }
        var text = title + ")\n" + table.text
        for constraint in entity.uniquenessConstraints {
            text += "  unique: \(constraint.names.joined(separator: ", "))\n"
        }
        for index in entity.description.fetchIndexes { text += "  index \(index.name): \(index.summary)\n" }
        return text
    }

    private static func presence(_ isOptional: Bool, _ rules: [String]) -> String {
        ([isOptional ? "optional" : "required"] + rules).joined(separator: ", ")
    }
}
