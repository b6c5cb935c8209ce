import GranaryModel

extension FetchedPropertyDescription: ModelElement {
    static let elementName = "fetchedProperty"

    static let fields: [ElementField<Self>] = [
        .written("name") { $0.name },
        .flag("optional", \.isOptional),
        .text("elementID", \.renamingIdentifier),
        .text("versionHashModifier", \.versionHashModifier),
        .flag("syncable", \.isSyncable),
    ]

    init(required attributes: inout ElementAttributes) {
        self.init(
            name: attributes.required("name"), fetchRequest: .withoutOptions())
    }

    mutating func removeChildren() {
        userInfo = [:]
        fetchRequest = .withoutOptions()
    }
}

extension FetchRequestTemplate: ModelElement {
    static let elementName = "fetchRequest"

    static let fields: [ElementField<Self>] = [
        .written("name") { $0.name },
        .written("entity") { $0.entityName },
        .text("predicateString", \.predicateFormat),
        .count("fetchLimit", \.fetchLimit),
        .count("fetchBatchSize", \.fetchBatchSize),
        .flag("includeSubentities", \.includesSubentities),
        .flag("includePropertyValues", \.includesPropertyValues),
        .flag("includesPendingChanges", \.includesPendingChanges),
        .flag("returnObjectsAsFaults", \.returnsObjectsAsFaults),
        .flag("returnDistinctResults", \.returnsDistinctResults),
        ElementField(
            name: "resultType",
            read: {
                let type = $0.choice("resultType", "0, 1, 2 or 4") { Int($0).flatMap(ResultType.init(rawValue:)) }
                $1.resultType = type ?? .managedObjects
            },
            text: { $0.resultType == .managedObjects ? nil : String($0.resultType.rawValue) }),
    ]

    init(required attributes: inout ElementAttributes) {
        self = .withoutOptions(name: attributes.required("name"), entityName: attributes.required("entity"))
    }
}
