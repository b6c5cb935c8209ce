import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension CompiledModelDecoder {
    /// The keys of every property. `_P` repeats the flags in one word.
    static let propertyKeys: Set<String> = [
        "NSPropertyName", "NSRenamingIdentifier", "NSEntity", "NSUserInfo", "NSIsOptional", "NSIsTransient",
        "NSIsReadOnly", "NSIsIndexed", "NSIndexedBySpotlight", "NSIsStoredInTruth", "NSVersionHashModifier",
        "NSValidationPredicates", "NSValidationWarnings", "_P",
    ]
    private static let relationshipKeys = propertyKeys.union([
        "NSDestinationEntity", "_NSDestinationEntityName", "NSInverseRelationship", "_NSInverseRelationshipName",
        "NSMinCount", "NSMaxCount", "NSDeleteRule", "NSIsOrdered",
    ])
    private static let fetchedPropertyKeys = propertyKeys.union(["NSFetchRequest", "_NSFetchRequestEntityName"])

    mutating func relationship(
        _ object: CompiledObject, name: String
    ) throws(GranaryError) -> RelationshipDescription {
        var relationship = RelationshipDescription(
            name: name, destination: try destination(of: object), inverse: try inverseName(of: object))
        relationship.isIndexed = try flag("NSIsIndexed", of: object)
        relationship.minCount = try integer("NSMinCount", of: object) ?? 0
        relationship.maxCount = try integer("NSMaxCount", of: object) ?? 0
        let number = try integer("NSDeleteRule", of: object) ?? RelationshipDescription.DeleteRule.noAction.rawValue
        guard let rule = RelationshipDescription.DeleteRule(rawValue: number) else {
            throw refusal("there is no delete rule \(number)")
        }
        relationship.deleteRule = rule
        try readCommon(of: object, into: &relationship)
        try noteReadOnly(object, &relationship.notes)
        try noteValidation(object, &relationship.notes)
        try keepUnknown(of: object, known: Self.relationshipKeys, &relationship.notes)
        return relationship
    }

    private mutating func destination(of object: CompiledObject) throws(GranaryError) -> String {
        let named = try text("_NSDestinationEntityName", of: object)
        if let item = object.fields["NSDestinationEntity"] {
            let name = try entityName(of: item, "NSDestinationEntity")
            if let named, named != name {
                warn("the destination is \(quoted(name)), but named \(quoted(named))", code: .modelReference)
            }
            return name
        }
        guard let named else { throw refusal("the relationship has no destination", code: .modelReference) }
        return named
    }

    private mutating func inverseName(of object: CompiledObject) throws(GranaryError) -> String? {
        if let name = try text("_NSInverseRelationshipName", of: object) { return name }
        guard let item = object.fields["NSInverseRelationship"] else { return nil }
        let inverse = try unpack(item, "NSInverseRelationship")
        guard let name = try text("NSPropertyName", of: inverse) else {
            throw refusal("the inverse relationship has no name", code: .modelReference)
        }
        return name
    }

    mutating func fetchedProperty(
        _ object: CompiledObject, name: String
    ) throws(GranaryError) -> FetchedPropertyDescription {
        // Xcode gives every request of a fetched property this name.
        let requestName = "fetchedPropertyFetchRequest"
        let entityName = try text("_NSFetchRequestEntityName", of: object)
        var request = FetchRequestTemplate(name: requestName, entityName: entityName ?? "")
        if let item = object.fields["NSFetchRequest"] {
            request = try fetchRequest(item, name: requestName, entityName: entityName)
        } else {
            warn("the fetched property has no fetch request", code: .modelReference)
        }
        var property = FetchedPropertyDescription(name: name, fetchRequest: request)
        try readCommon(of: object, into: &property)
        try noteValidation(object, &property.notes)
        try keepUnknown(of: object, known: Self.fetchedPropertyKeys, &property.notes)
        return property
    }

    /// Reads the fields that every kind of property has.
    mutating func readCommon<Property: CompiledProperty>(
        of object: CompiledObject, into property: inout Property
    ) throws(GranaryError) {
        for (flag, key) in CompiledPropertyFlags.keys {
            if let path = Property.flagPaths[flag] { property[keyPath: path] = try self.flag(key, of: object) }
        }
        property.renamingIdentifier = try renamingIdentifier(of: object, name: property.name)
        property.versionHashModifier = try text("NSVersionHashModifier", of: object)
        property.userInfo = try userInfo(of: object)
    }

    /// The renaming identifier; nil if it is the name itself, which Core Data archives if nothing was renamed.
    mutating func renamingIdentifier(of object: CompiledObject, name: String) throws(GranaryError) -> String? {
        let identifier = try text("NSRenamingIdentifier", of: object)
        return identifier == name ? nil : identifier
    }

    mutating func userInfo(of object: CompiledObject) throws(GranaryError) -> [String: UserInfoValue] {
        guard let item = object.fields["NSUserInfo"] else { return [:] }
        guard case .dictionary(let entries) = try contents(item) else {
            warn("the user info is not a dictionary; it is omitted")
            return [:]
        }
        var result: [String: UserInfoValue] = [:]
        for entry in entries {
            guard case .string(let key) = try contents(entry.key) else {
                warn("a key of the user info is not text; it is omitted")
                continue
            }
            result[key] = try userInfoValue(entry.value, key)
        }
        return result
    }

    private static let userInfoLimits: PropertyListLimits = {
        var limits = PropertyListLimits.standard
        limits.depth = UserInfoValue.depthLimit
        limits.treeSize = 100_000
        return limits
    }()

    /// A value of user info; nil, with a warning, if it cannot be kept.
    private mutating func userInfoValue(
        _ item: KeyedArchive.Item, _ key: String
    ) throws(GranaryError) -> UserInfoValue? {
        let value = try contents(item)
        if case .string(let text) = value { return .string(text) }
        let tree: KeyedArchiveTree
        do throws(GranaryError) {
            tree = try archive.tree(item, limits: Self.userInfoLimits)
        } catch {
            warn("the value of \(quoted(key)) in the user info is omitted: \(error.message)")
            try charge(Self.userInfoLimits.treeSize)
            return nil
        }
        if let kept = UserInfoValue(archived: tree) {
            try charge(kept.weight)
            return kept
        }
        if let text = Self.plainText(value) {
            warn("the value of \(quoted(key)) in the user info is not of a property list; it is kept as text")
            return .string(text)
        }
        warn("the value of \(quoted(key)) in the user info is not a property list; it is omitted")
        return nil
    }

    /// Notes that a property is read-only, which the XML cannot express. Not for derived attributes and fetched
    /// properties, which always are.
    mutating func noteReadOnly(
        _ object: CompiledObject, _ notes: inout [String: String]
    ) throws(GranaryError) {
        if try flag("NSIsReadOnly", of: object) { notes["NSIsReadOnly"] = "YES" }
    }

    /// Keeps the validation predicates of a relationship or fetched property as notes, with a warning.
    private mutating func noteValidation(
        _ object: CompiledObject, _ notes: inout [String: String]
    ) throws(GranaryError) {
        var texts: [String] = []
        for item in try items("NSValidationPredicates", of: object) { texts.append(try predicateText(item)) }
        guard !texts.isEmpty else { return }
        KeptValidation.note(texts, warnings: [], in: &notes)
        warn("the validation predicates are kept, but not evaluated, since the property is not an attribute")
    }
}
