import Foundation
import GranaryModel

/// Makes descriptions of entities and properties, and their hashes.
struct EntityDescriber {
    let index: SourceIndex
    private(set) var shapes = ShapeDescriber()

    init(index: SourceIndex) { self.index = index }

    /// The attribute of a shape; nil for a relationship and what is not stored.
    mutating func attribute(_ property: SwiftDataProperty, _ shape: PropertyShape) -> AttributeDescription? {
        guard
            var attribute = shapes.attribute(
                property.name, shape, isOptional: property.meaning.isOptional, initialValue: property.initialValue)
        else { return nil }
        attribute.isTransient = property.isTransient
        if let transformer = property.transformerName { attribute.valueTransformerName = transformer }
        attribute.allowsExternalBinaryDataStorage = property.storesExternally
        attribute.preservesValueInHistoryOnDeletion = property.preservesValueOnDeletion
        attribute.allowsCloudEncryption = property.allowsCloudEncryption
        attribute.isIndexedBySpotlight = property.isIndexedBySpotlight
        attribute.renamingIdentifier = property.originalName
        attribute.versionHashModifier = property.hashModifier
        return attribute
    }

    /// The relationship of a shape; nil for an attribute.
    func relationship(
        _ property: SwiftDataProperty, _ shape: PropertyShape, inverse: String?
    ) -> RelationshipDescription? {
        let destination: SourceTypeID
        switch shape {
        case .toOne(let id), .toMany(let id): destination = id
        default: return nil
        }
        var relationship = RelationshipDescription(
            name: property.name, destination: index[destination].bareName, inverse: inverse)
        relationship.isOptional = property.meaning.isOptional
        if case .toMany = shape { relationship.maxCount = property.maximumCount }
        relationship.minCount = property.minimumCount
        relationship.deleteRule = property.deleteRule
        relationship.renamingIdentifier = property.originalName
        relationship.versionHashModifier = property.hashModifier
        return relationship
    }

    /// The hash of a property; nil if it is not stored.
    mutating func hash(of property: SwiftDataProperty, shape: PropertyShape, inverse: String?) -> Data? {
        if let relationship = relationship(property, shape, inverse: inverse) {
            return PropertyHasher(composites: []).hash(of: relationship, isOwnInverse: inverse == property.name)
        }
        // A describer of its own, so that the composites of shapes that are only tried do not get into the model.
        var trial = Self(index: index)
        guard let attribute = trial.attribute(property, shape), !attribute.isTransient else { return nil }
        return PropertyHasher(composites: trial.shapes.composites).hash(of: attribute)
    }
}
