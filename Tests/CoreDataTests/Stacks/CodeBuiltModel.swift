#if canImport(CoreData)
    import CoreData
    import Foundation
    import Granary

    /// A builder that makes an `NSManagedObjectModel` from a Granary model with Core Data's own classes.
    ///
    /// The result does not depend on Granary's compiled models. Rules, fetched properties and user info are omitted,
    /// because they affect neither the version hashes nor the layout of the store.
    struct CodeBuiltModel {
        /// The error for a part of a model that the builder does not support.
        struct Unsupported: Error {
            let name: String
        }

        private let source: ManagedObjectModel
        private var entities: [String: NSEntityDescription] = [:]
        private var relationships: [String: [String: NSRelationshipDescription]] = [:]

        /// Returns the `NSManagedObjectModel` for a Granary model.
        static func model(_ source: ManagedObjectModel) throws -> NSManagedObjectModel {
            var builder = CodeBuiltModel(source)
            return try builder.build()
        }

        private init(_ source: ManagedObjectModel) { self.source = source }

        private mutating func build() throws -> NSManagedObjectModel {
            for entity in source.entities {
                let description = NSEntityDescription()
                description.name = entity.name
                description.isAbstract = entity.isAbstract
                if let modifier = entity.versionHashModifier { description.versionHashModifier = modifier }
                if let name = entity.renamingIdentifier { description.renamingIdentifier = name }
                entities[entity.name] = description
            }
            for entity in source.entities {
                let description = try built(entity.name)
                var properties: [NSPropertyDescription] = []
                for attribute in entity.attributes { properties.append(try build(attribute)) }
                for relationship in entity.relationships {
                    let property = try build(relationship)
                    relationships[entity.name, default: [:]][relationship.name] = property
                    properties.append(property)
                }
                description.properties = properties
            }
            for entity in source.entities {
                let children = source.entities.filter { $0.superentityName == entity.name }
                let description = try built(entity.name)
                if !children.isEmpty { description.subentities = try children.map { try built($0.name) } }
                for relationship in entity.relationships {
                    relationships[entity.name]?[relationship.name]?.inverseRelationship = inverse(of: relationship)
                }
            }
            let model = NSManagedObjectModel()
            model.entities = try source.entities.map { try built($0.name) }
            for entity in source.entities { try addConstraintsAndIndexes(of: entity) }
            return model
        }

        private func built(_ name: String) throws -> NSEntityDescription {
            guard let entity = entities[name] else { throw Unsupported(name: name) }
            return entity
        }

        /// Returns the inverse of a relationship. The destination may inherit it from a superentity.
        private func inverse(of relationship: RelationshipDescription) -> NSRelationshipDescription? {
            guard let name = relationship.inverseName else { return nil }
            var next: String? = relationship.destinationEntityName
            while let owner = next {
                if let inverse = relationships[owner]?[name] { return inverse }
                next = source.entity(named: owner)?.superentityName
            }
            return nil
        }

        private func addConstraintsAndIndexes(of entity: EntityDescription) throws {
            let description = try built(entity.name)
            if !entity.uniquenessConstraints.isEmpty {
                description.uniquenessConstraints = entity.uniquenessConstraints
            }
            guard !entity.fetchIndexes.isEmpty else { return }
            description.indexes = try entity.fetchIndexes.map { index in
                let elements: [NSFetchIndexElementDescription] = try index.elements.map { element in
                    guard let property = description.propertiesByName[element.propertyName ?? ""] else {
                        throw Unsupported(name: index.name)
                    }
                    let part = NSFetchIndexElementDescription(property: property, collationType: .binary)
                    part.isAscending = element.isAscending
                    return part
                }
                return NSFetchIndexDescription(name: index.name, elements: elements)
            }
        }

        // MARK: - Properties

        private func build(_ attribute: AttributeDescription) throws -> NSAttributeDescription {
            let description: NSAttributeDescription
            if let expression = attribute.derivationExpression {
                let derived = NSDerivedAttributeDescription()
                derived.derivationExpression = NSExpression(format: expression, argumentArray: [])
                description = derived
            } else if attribute.type == .composite {
                let composite = NSCompositeAttributeDescription()
                let named = source.composites.first { $0.name == attribute.compositeName }
                composite.elements = try (named?.elements ?? []).map { try build($0) }
                description = composite
            } else {
                description = NSAttributeDescription()
            }
            description.name = attribute.name
            if attribute.type != .composite {
                guard let type = NSAttributeType(rawValue: UInt(attribute.type.rawValue)) else {
                    throw Unsupported(name: attribute.name)
                }
                description.attributeType = type
            }
            description.isOptional = attribute.isOptional
            description.isTransient = attribute.isTransient
            if let modifier = attribute.versionHashModifier { description.versionHashModifier = modifier }
            if let name = attribute.renamingIdentifier { description.renamingIdentifier = name }
            if attribute.type == .transformable { description.valueTransformerName = attribute.valueTransformerName }
            if attribute.allowsExternalBinaryDataStorage { description.allowsExternalBinaryDataStorage = true }
            if attribute.preservesValueInHistoryOnDeletion { description.preservesValueInHistoryOnDeletion = true }
            if let value = attribute.defaultValue {
                description.defaultValue = CoreDataValue.object(value, of: attribute.type)
            }
            return description
        }

        private func build(_ relationship: RelationshipDescription) throws -> NSRelationshipDescription {
            let description = NSRelationshipDescription()
            description.name = relationship.name
            description.destinationEntity = try built(relationship.destinationEntityName)
            description.isOptional = relationship.isOptional
            description.isTransient = relationship.isTransient
            description.minCount = relationship.minCount
            description.maxCount = relationship.maxCount
            description.isOrdered = relationship.isOrdered
            guard let rule = NSDeleteRule(rawValue: UInt(relationship.deleteRule.rawValue)) else {
                throw Unsupported(name: relationship.name)
            }
            description.deleteRule = rule
            if let modifier = relationship.versionHashModifier { description.versionHashModifier = modifier }
            if let name = relationship.renamingIdentifier { description.renamingIdentifier = name }
            return description
        }
    }
#endif
