import GranaryBase
import GranaryModel
import GranaryPredicates

@testable import GranaryModelFiles

/// A model with all that goes when it is compiled taken out, and in one order: what must come back is equal.
enum CompiledNormalForm {
    static func of(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
        var result = ManagedObjectModel()
        result.versionIdentifiers = Set(model.versionIdentifiers).sorted()
        result.entities = try model.entities.map { try of($0, model) }.sorted { utf8Less($0.name, $1.name) }
        result.configurations = model.configurations.map { configuration in
            ConfigurationDescription(name: configuration.name, entityNames: Set(configuration.entityNames).sorted())
        }.sorted { utf8Less($0.name, $1.name) }
        result.fetchRequestTemplates = try model.fetchRequestTemplates.map { try of($0) }
            .sorted { utf8Less($0.name, $1.name) }
        return result
    }

    private static func of(_ entity: EntityDescription, _ model: ManagedObjectModel) throws -> EntityDescription {
        var entity = entity
        entity.notes = [:]
        entity.isSyncable = false
        entity.codeGenerationType = nil
        if entity.renamingIdentifier == entity.name { entity.renamingIdentifier = nil }
        entity.attributes = try entity.attributes.map { try of($0, model) }.sorted { utf8Less($0.name, $1.name) }
        entity.relationships = entity.relationships.map { relationship in
            var relationship = relationship
            relationship.notes = [:]
            relationship.isSyncable = false
            if relationship.renamingIdentifier == relationship.name { relationship.renamingIdentifier = nil }
            return relationship
        }.sorted { utf8Less($0.name, $1.name) }
        entity.fetchedProperties = try entity.fetchedProperties.map { property in
            var property = property
            property.notes = [:]
            property.isSyncable = false
            property.isOptional = true
            property.fetchRequest = try of(property.fetchRequest)
            property.fetchRequest.name = ""
            return property
        }.sorted { utf8Less($0.name, $1.name) }
        for index in entity.fetchIndexes.indices {
            entity.fetchIndexes[index].notes = [:]
            for element in entity.fetchIndexes[index].elements.indices {
                entity.fetchIndexes[index].elements[element].notes = [:]
            }
        }
        // An index of one attribute that has its name is the mark `indexed` as well: the archive does not tell which.
        for (place, attribute) in entity.attributes.enumerated() {
            let index = FetchIndexDescription(name: attribute.name, elements: [.init(propertyName: attribute.name)])
            guard let number = entity.fetchIndexes.firstIndex(of: index) else { continue }
            entity.fetchIndexes.remove(at: number)
            entity.attributes[place].isIndexed = true
        }
        // A property that a superentity has already is the superentity's.
        if let parent = entity.superentityName.flatMap(model.entity(named:)) {
            entity.attributes.removeAll { parent.attribute(named: $0.name) != nil }
        }
        let indexed = entity.fetchIndexes.map { $0.elements.compactMap(\.propertyName) }
        entity.compoundIndexes.removeAll { indexed.contains($0) }
        return entity
    }

    private static func of(
        _ attribute: AttributeDescription, _ model: ManagedObjectModel
    ) throws -> AttributeDescription {
        var attribute = attribute
        attribute.notes = [:]
        attribute.isSyncable = false
        attribute.usesScalarValueType = nil
        if attribute.renamingIdentifier == attribute.name { attribute.renamingIdentifier = nil }
        if attribute.type != .transformable { attribute.valueClassName = nil }
        if let name = attribute.compositeName, let composite = model.composites.first(where: { $0.name == name }) {
            // The elements themselves in place of the name, which does not come back.
            let elements = try composite.elements.map { try of($0, model) }
            attribute.compositeName = "\(elements)"
        }
        if let text = attribute.derivationExpression {
            attribute.derivationExpression = PredicateFormat.derivationText(of: try PredicateFormat.derivation(text))
        }
        return attribute
    }

    private static func of(_ request: FetchRequestTemplate) throws -> FetchRequestTemplate {
        var request = request
        request.notes = [:]
        if let format = request.predicateFormat {
            request.predicateFormat =
                format.isEmpty ? nil : try PredicateFormat.predicate(format).description
        }
        return request
    }
}
