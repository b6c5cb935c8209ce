import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension CompiledModelBuilder {
    mutating func write(_ member: Member, of entity: String, _ owner: PropertyListValue) {
        switch member.description {
        case .attribute(let attribute): write(attribute, at: member.number, entity, owner)
        case .relationship(let relationship): write(relationship, at: member.number, entity, owner)
        case .fetchedProperty(let property): write(property, at: member.number, entity, owner)
        }
    }

    /// Returns the fields that every kind of property has.
    ///
    /// - Parameters:
    ///   - extra: the flags that the description does not have.
    ///   - validation: the predicates and as many warnings.
    mutating func fields<Property: CompiledProperty>(
        _ property: Property, _ owner: PropertyListValue, _ extra: CompiledPropertyFlags = [], isIndexed: Bool = false,
        validation: (predicates: PropertyListValue, warnings: PropertyListValue)? = nil
    ) -> [PropertyListEntry] {
        var flags = extra.union(.always)
        for (flag, path) in Property.flagPaths where property[keyPath: path] { flags.insert(flag) }
        if property.notes["NSIsReadOnly"] == "YES" { flags.insert(.readOnly) }
        if validation == nil { flags.formUnion([.noValidationPredicates, .noValidationWarnings]) }
        if property.userInfo.isEmpty { flags.insert(.noUserInfo) }
        if property.versionHashModifier == nil { flags.insert(.noVersionHashModifier) }
        var fields = [
            PropertyListEntry("_P", .integer(flags.rawValue)),
            PropertyListEntry("NSPropertyName", builder.addText(property.name)),
            PropertyListEntry("NSRenamingIdentifier", builder.addText(property.renamingIdentifier ?? property.name)),
            PropertyListEntry("NSEntity", owner),
        ]
        for (flag, key) in CompiledPropertyFlags.keys where flags.contains(flag) {
            fields.append(PropertyListEntry(key, .boolean(true)))
        }
        if isIndexed { fields.append(PropertyListEntry("NSIsIndexed", .boolean(true))) }
        if !property.userInfo.isEmpty { fields.append(PropertyListEntry("NSUserInfo", userInfo(property.userInfo))) }
        if let modifier = property.versionHashModifier {
            fields.append(PropertyListEntry("NSVersionHashModifier", builder.addText(modifier)))
        }
        if let validation {
            fields.append(PropertyListEntry("NSValidationPredicates", validation.predicates))
            fields.append(PropertyListEntry("NSValidationWarnings", validation.warnings))
        }
        return fields
    }

    private mutating func write(
        _ relationship: RelationshipDescription, at number: UInt64, _ entity: String, _ owner: PropertyListValue
    ) {
        let destination = relationship.destinationEntityName
        let target = reference(toEntity: destination)
        if target == nil {
            problem(
                .modelReference, "its destination \"\(Diagnostic.shortened(destination))\" does not exist", entity,
                relationship.name)
        }
        var inverse = KeyedArchiveBuilder.null
        if let name = relationship.inverseName {
            if let reference = reference(toProperty: name, of: destination) {
                inverse = reference
            } else if target != nil {
                problem(
                    .modelInverse, "its inverse \(destination).\(Diagnostic.shortened(name)) does not exist", entity,
                    relationship.name)
            }
        }
        var fields = fields(relationship, owner)
        fields += [
            PropertyListEntry("NSDestinationEntity", target ?? KeyedArchiveBuilder.null),
            PropertyListEntry("_NSDestinationEntityName", builder.addText(destination)),
            PropertyListEntry("NSInverseRelationship", inverse),
            PropertyListEntry("_NSInverseRelationshipName", builder.addText(relationship.inverseName)),
            PropertyListEntry("NSMinCount", .integer(Int64(relationship.minCount))),
            PropertyListEntry("NSMaxCount", .integer(Int64(relationship.maxCount))),
            PropertyListEntry("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
        ]
        builder.set(
            number, classNames: ["NSRelationshipDescription", "NSPropertyDescription", "NSObject"], fields: fields)
    }

    /// Core Data archives every fetched property as optional, transient and read-only.
    private mutating func write(
        _ property: FetchedPropertyDescription, at number: UInt64, _ entity: String, _ owner: PropertyListValue
    ) {
        var fields = fields(property, owner, [.optional, .transient, .readOnly])
        fields += [
            PropertyListEntry("NSFetchRequest", fetchRequest(property.fetchRequest, entity, property.name)),
            PropertyListEntry("_NSFetchRequestEntityName", builder.addText(property.fetchRequest.entityName)),
        ]
        builder.set(
            number, classNames: ["NSFetchedPropertyDescription", "NSPropertyDescription", "NSObject"], fields: fields)
    }
}
