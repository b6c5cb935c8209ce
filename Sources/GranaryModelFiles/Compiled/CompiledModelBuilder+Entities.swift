import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension CompiledModelBuilder {
    mutating func write(_ entity: EntityDescription, _ members: [Member]) {
        guard case .uid(let number)? = reference(toEntity: entity.name) else { return }
        var properties: [(key: String, value: PropertyListValue)] = []
        for member in members {
            write(member, of: entity.name, .uid(number))
            properties.append((member.name, .uid(member.number)))
        }
        let children = subentities(of: entity.name).map { child in
            (key: child.name, value: reference(toEntity: child.name) ?? KeyedArchiveBuilder.null)
        }
        var fields = [
            PropertyListEntry("NSEntityName", builder.addText(entity.name)),
            PropertyListEntry("NSClassNameForEntity", builder.addText(entity.managedObjectClassName)),
            PropertyListEntry("NSManagedObjectModel", modelReference),
            PropertyListEntry("NSSuperentity", superentity(of: entity)),
            PropertyListEntry("NSSubentities", builder.addDictionary(children, isMutable: true)),
            PropertyListEntry("NSProperties", builder.addDictionary(properties, isMutable: true)),
            PropertyListEntry("NSUserInfo", userInfo(entity.userInfo)),
            PropertyListEntry("NSRenamingIdentifier", builder.addText(entity.renamingIdentifier ?? entity.name)),
            PropertyListEntry("NSVersionHashModifier", builder.addText(entity.versionHashModifier)),
        ]
        if entity.isAbstract { fields.append(PropertyListEntry("NSIsAbstract", .boolean(true))) }
        if !entity.uniquenessConstraints.isEmpty {
            fields.append(PropertyListEntry("NSUniqueTuples", builder.addNameLists(entity.uniquenessConstraints)))
        }
        fields += indexFields(of: entity)
        builder.set(number, classNames: ["NSEntityDescription", "NSObject"], fields: fields)
    }

    private mutating func superentity(of entity: EntityDescription) -> PropertyListValue {
        guard let name = entity.superentityName else { return KeyedArchiveBuilder.null }
        if let reference = reference(toEntity: name) { return reference }
        problem(.modelReference, "its superentity \"\(Diagnostic.shortened(name))\" does not exist", entity.name)
        return KeyedArchiveBuilder.null
    }
}
