#if canImport(CoreData)
    import CoreData
    import Foundation

    /// A text form of Core Data models that tests can compare.
    enum ModelText {
        /// Returns a line for each entity, attribute, relationship and fetch index, sorted.
        static func lines(of model: NSManagedObjectModel) -> [String] {
            var lines: [String] = []
            for entity in model.entities {
                let name: String = entity.name ?? ""
                lines.append(
                    "\(name): abstract \(entity.isAbstract), superentity \(entity.superentity?.name ?? "none"), "
                        + "unique \(constraints(of: entity)), renamed from \(entity.renamingIdentifier ?? "")")
                for (property, attribute) in entity.attributesByName {
                    lines.append("\(name).\(property): \(text(of: attribute))")
                }
                for (property, relationship) in entity.relationshipsByName {
                    lines.append("\(name).\(property): \(text(of: relationship))")
                }
                for index in entity.indexes {
                    let elements: [String] = index.elements.map { "\($0.propertyName ?? "") \($0.isAscending)" }
                    lines.append("\(name), index \(index.name): \(elements)")
                }
            }
            return lines.sorted()
        }

        private static func constraints(of entity: NSEntityDescription) -> [[String]] {
            entity.uniquenessConstraints.map { constraint in
                constraint.map { element in (element as? NSPropertyDescription)?.name ?? "\(element)" }
            }
        }

        private static func text(of attribute: NSAttributeDescription) -> String {
            var text = "type \(attribute.attributeType.rawValue), optional \(attribute.isOptional)"
            text += ", transient \(attribute.isTransient), external \(attribute.allowsExternalBinaryDataStorage)"
            text += ", preserved \(attribute.preservesValueInHistoryOnDeletion)"
            text += ", transformer \(attribute.valueTransformerName ?? "none")"
            if let value = attribute.defaultValue { text += ", default \(value)" }
            if let derived = attribute as? NSDerivedAttributeDescription, let expression = derived.derivationExpression
            {
                text += ", derived from \(expression)"
            }
            if let composite = attribute as? NSCompositeAttributeDescription {
                text += ", elements \(composite.elements.map { $0.name })"
            }
            return text
        }

        private static func text(of relationship: NSRelationshipDescription) -> String {
            var text = "to \(relationship.destinationEntity?.name ?? "none")"
            text += ", inverse \(relationship.inverseRelationship?.name ?? "none")"
            text += ", count \(relationship.minCount) to \(relationship.maxCount), ordered \(relationship.isOrdered)"
            text += ", optional \(relationship.isOptional), transient \(relationship.isTransient)"
            text += ", delete rule \(relationship.deleteRule.rawValue)"
            return text
        }
    }
#endif
