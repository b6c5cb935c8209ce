import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension CompiledModelBuilder {
    /// The fields that all kinds of property share.
    struct Common {
        var name: String
        var renamingIdentifier: String?
        var versionHashModifier: String?
        var userInfo: [String: String]
        /// The flags that are set, without those for absent fields.
        var flags: CompiledPropertyFlags
        var isIndexed = false
        /// Predicates and as many warnings.
        var validation: (predicates: PropertyListValue, warnings: PropertyListValue)?
    }

    mutating func write(_ member: Member, of entity: String, _ owner: PropertyListValue) {
        switch member.description {
        case .attribute(let attribute): write(attribute, at: member.number, entity, owner)
        case .relationship(let relationship): write(relationship, at: member.number, entity, owner)
        case .fetchedProperty(let property): write(property, at: member.number, entity, owner)
        }
    }

    /// A flag that is set has a key and a bit in the flag word; one that is not set has neither.
    mutating func fields(_ common: Common, _ owner: PropertyListValue) -> [PropertyListEntry] {
        var flags = common.flags.union(.always)
        if common.validation == nil { flags.formUnion([.noValidationPredicates, .noValidationWarnings]) }
        if common.userInfo.isEmpty { flags.insert(.noUserInfo) }
        if common.versionHashModifier == nil { flags.insert(.noVersionHashModifier) }
        var fields = [
            PropertyListEntry("_P", .integer(flags.rawValue)),
            PropertyListEntry("NSPropertyName", builder.addText(common.name)),
            PropertyListEntry("NSRenamingIdentifier", builder.addText(common.renamingIdentifier ?? common.name)),
            PropertyListEntry("NSEntity", owner),
        ]
        let marks: [(CompiledPropertyFlags, String)] = [
            (.optional, "NSIsOptional"), (.readOnly, "NSIsReadOnly"), (.transient, "NSIsTransient"),
            (.indexedBySpotlight, "NSIndexedBySpotlight"), (.storedInExternalRecord, "NSIsStoredInTruth"),
            (.ordered, "NSIsOrdered"), (.allowsCloudEncryption, "NSAllowsCloudEncryption"),
        ]
        for (flag, key) in marks where flags.contains(flag) { fields.append(PropertyListEntry(key, .boolean(true))) }
        if common.isIndexed { fields.append(PropertyListEntry("NSIsIndexed", .boolean(true))) }
        if !common.userInfo.isEmpty { fields.append(PropertyListEntry("NSUserInfo", userInfo(common.userInfo))) }
        if let modifier = common.versionHashModifier {
            fields.append(PropertyListEntry("NSVersionHashModifier", builder.addText(modifier)))
        }
        if let validation = common.validation {
            fields.append(PropertyListEntry("NSValidationPredicates", validation.predicates))
            fields.append(PropertyListEntry("NSValidationWarnings", validation.warnings))
        }
        return fields
    }

    private mutating func write(
        _ relationship: RelationshipDescription, at number: UInt64, _ entity: String, _ owner: PropertyListValue
    ) {
        var common = Common(
            name: relationship.name, renamingIdentifier: relationship.renamingIdentifier,
            versionHashModifier: relationship.versionHashModifier, userInfo: relationship.userInfo, flags: [])
        if relationship.isOptional { common.flags.insert(.optional) }
        if relationship.isTransient { common.flags.insert(.transient) }
        if relationship.notes["NSIsReadOnly"] == "YES" { common.flags.insert(.readOnly) }
        if relationship.isOrdered { common.flags.insert(.ordered) }
        if relationship.isIndexedBySpotlight { common.flags.insert(.indexedBySpotlight) }
        if relationship.isStoredInExternalRecord { common.flags.insert(.storedInExternalRecord) }
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
        var fields = fields(common, owner)
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
        let common = Common(
            name: property.name, renamingIdentifier: property.renamingIdentifier,
            versionHashModifier: property.versionHashModifier, userInfo: property.userInfo,
            flags: [.optional, .transient, .readOnly])
        var fields = fields(common, owner)
        fields += [
            PropertyListEntry("NSFetchRequest", fetchRequest(property.fetchRequest, entity, property.name)),
            PropertyListEntry("_NSFetchRequestEntityName", builder.addText(property.fetchRequest.entityName)),
        ]
        builder.set(
            number, classNames: ["NSFetchedPropertyDescription", "NSPropertyDescription", "NSObject"], fields: fields)
    }
}
