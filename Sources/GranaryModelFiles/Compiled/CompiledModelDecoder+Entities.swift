import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension CompiledModelDecoder {
    private static let entityKeys: Set<String> = [
        "NSEntityName", "NSClassNameForEntity", "NSIsAbstract", "NSSuperentity", "NSSubentities", "NSProperties",
        "NSUserInfo", "NSRenamingIdentifier", "NSVersionHashModifier", "NSUniqueTuples", "NSFetchIndexDescriptions",
        "NSCompoundIndexes", "NSManagedObjectModel",
    ]

    mutating func entity(_ object: CompiledObject) throws(GranaryError) -> EntityDescription {
        var entity = EntityDescription(name: entityNames[object.item] ?? "")
        place = Place(entity: entity.name)
        entity.managedObjectClassName = try text("NSClassNameForEntity", of: object)
        entity.isAbstract = try flag("NSIsAbstract", of: object)
        entity.superentityName = superentities[entity.name]
        entity.renamingIdentifier = try renamingIdentifier(of: object, name: entity.name)
        entity.versionHashModifier = try text("NSVersionHashModifier", of: object)
        entity.userInfo = try userInfo(of: object)
        entity.uniquenessConstraints = try groups("NSUniqueTuples", of: object)
        try keepUnknown(of: object, known: Self.entityKeys, &entity.notes)
        try readProperties(of: object, into: &entity)
        try readIndexes(of: object, into: &entity)
        return entity
    }

    private mutating func readProperties(
        of object: CompiledObject, into entity: inout EntityDescription
    ) throws(GranaryError) {
        // In the order of their names: a composite is named after the first attribute that uses it.
        let entries = try entries("NSProperties", of: object).sorted { $0.name < $1.name }
        propertyCount += entries.count
        guard propertyCount <= CompiledModelReader.propertyLimit else {
            throw refusal(
                "the entities list more than \(CompiledModelReader.propertyLimit) properties, the limit",
                code: .limitExceeded)
        }
        var names: Set<String> = []
        for (key, item) in entries {
            place.property = key
            let property = try unpack(item, "a value of NSProperties")
            guard let kind = CompiledPropertyKind(property) else {
                warn("the property is of the class \(quoted(property.className)), which is not known; it is omitted")
                continue
            }
            if kind == .proxy { continue }
            if kind == .expression {
                warn("an NSExpressionDescription is not part of a model; it is omitted")
                continue
            }
            guard try isOwn(property, of: object.item) else { continue }
            let name = try text("NSPropertyName", of: property) ?? key
            if name != key { warn("the property is listed as \(quoted(key)), but named \(quoted(name))") }
            guard names.insert(name).inserted else {
                throw refusal("the property \(quoted(name)) occurs twice", code: .modelDuplicate)
            }
            place.property = name
            switch kind {
            case .relationship: entity.relationships.append(try relationship(property, name: name))
            case .fetchedProperty: entity.fetchedProperties.append(try fetchedProperty(property, name: name))
            default: entity.attributes.append(try attribute(property, kind, name: name))
            }
        }
        place.property = nil
        entity.attributes = Self.sorted(entity.attributes, by: \.name)
        entity.relationships = Self.sorted(entity.relationships, by: \.name)
        entity.fetchedProperties = Self.sorted(entity.fetchedProperties, by: \.name)
    }

    /// Whether the property belongs to this entity. A property that repeats one of a superentity does not.
    private mutating func isOwn(
        _ property: CompiledObject, of entity: KeyedArchive.Item
    ) throws(GranaryError) -> Bool {
        guard let item = property.fields["NSEntity"], item != entity else { return true }
        let owner = try entityName(of: item, "NSEntity")
        var ancestor = place.entity.flatMap { superentities[$0] }
        // Superentities can form a cycle; no chain is longer than the number of entities.
        for _ in 0..<superentities.count {
            guard let name = ancestor else { break }
            if name == owner { return false }
            try charge(1)
            ancestor = superentities[name]
        }
        warn("the property belongs to \(quoted(owner)), which is not a superentity; it is omitted")
        return false
    }

    /// Removes the inherited properties that model caches repeat in every subentity.
    ///
    /// A copy is a separate object that names the subentity as its entity, so only the name identifies it. Comparing
    /// with the archived superentity is sufficient, since that repeats the properties that it inherits.
    mutating func withoutInherited(_ entities: [EntityDescription]) -> [EntityDescription] {
        let places = Self.places(entities.map(\.name))
        let attributes = entities.map { Self.places($0.attributes.map(\.name)) }
        let relationships = entities.map { Self.places($0.relationships.map(\.name)) }
        let fetchedProperties = entities.map { Self.places($0.fetchedProperties.map(\.name)) }
        var result: [EntityDescription] = []
        for entity in entities {
            var own = entity
            if let name = entity.superentityName, name != entity.name, let parent = places[name] {
                place = Place(entity: entity.name)
                let above = entities[parent]
                own.attributes = keepOwn(entity.attributes, above.attributes, attributes[parent], name, \.isIndexed)
                own.relationships = keepOwn(
                    entity.relationships, above.relationships, relationships[parent], name, \.isIndexed)
                own.fetchedProperties = keepOwn(
                    entity.fetchedProperties, above.fetchedProperties, fetchedProperties[parent], name, nil)
            }
            result.append(own)
        }
        return result
    }

    /// - Parameter isIndexed: a copy keeps this flag, which the superentity's property may have lost to an index.
    private mutating func keepOwn<Property: CompiledProperty>(
        _ properties: [Property], _ inherited: [Property], _ places: [String: Int], _ parent: String,
        _ isIndexed: WritableKeyPath<Property, Bool>?
    ) -> [Property] {
        properties.filter { property in
            guard let index = places[property.name] else { return true }
            var copy = property
            if let isIndexed { copy[keyPath: isIndexed] = inherited[index][keyPath: isIndexed] }
            if copy == inherited[index] {
                if let entity = place.entity { copies.insert([entity, property.name]) }
            } else {
                place.property = property.name
                warn("the property differs from the one of \(quoted(parent)), which is used", code: .modelConflict)
                place.property = nil
            }
            return false
        }
    }
}
