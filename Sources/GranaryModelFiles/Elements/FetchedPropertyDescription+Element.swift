import GranaryModel

extension FetchedPropertyDescription: ModelElement {
    static let elementName = "fetchedProperty"
    static let attributeNames = ["name", "optional", "elementID", "versionHashModifier", "syncable"]

    init(_ attributes: inout ElementAttributes) {
        self.init(
            name: attributes.required("name"), fetchRequest: FetchRequestTemplate(name: "", entityName: ""))
        isOptional = attributes.flag("optional")
        isSyncable = attributes.flag("syncable")
        renamingIdentifier = attributes.text("elementID")
        versionHashModifier = attributes.text("versionHashModifier")
    }

    var attributeTexts: [String: String] {
        var texts = ["name": name]
        texts.flag("optional", isOptional)
        texts.flag("syncable", isSyncable)
        texts["elementID"] = renamingIdentifier
        texts["versionHashModifier"] = versionHashModifier
        return texts
    }

    var attributesOnly: Self {
        var copy = self
        copy.notes = [:]
        copy.userInfo = [:]
        copy.fetchRequest = FetchRequestTemplate(name: "", entityName: "")
        return copy
    }
}

extension FetchRequestTemplate: ModelElement {
    static let elementName = "fetchRequest"

    static let attributeNames = [
        "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "includeSubentities",
        "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults", "returnDistinctResults",
        "resultType",
    ]

    init(_ attributes: inout ElementAttributes) {
        self.init(
            name: attributes.required("name"), entityName: attributes.required("entity"),
            predicateFormat: attributes.text("predicateString"))
        fetchLimit = attributes.integer("fetchLimit", in: 0...Int.max) ?? 0
        fetchBatchSize = attributes.integer("fetchBatchSize", in: 0...Int.max) ?? 0
        includesSubentities = attributes.flag("includeSubentities")
        includesPropertyValues = attributes.flag("includePropertyValues")
        includesPendingChanges = attributes.flag("includesPendingChanges")
        returnsObjectsAsFaults = attributes.flag("returnObjectsAsFaults")
        returnsDistinctResults = attributes.flag("returnDistinctResults")
        resultType =
            attributes.choice("resultType", "0, 1, 2 or 4") { Int($0).flatMap(ResultType.init(rawValue:)) }
            ?? .managedObjects
    }

    var attributeTexts: [String: String] {
        var texts = ["name": name, "entity": entityName]
        texts["predicateString"] = predicateFormat
        if fetchLimit != 0 { texts["fetchLimit"] = String(fetchLimit) }
        if fetchBatchSize != 0 { texts["fetchBatchSize"] = String(fetchBatchSize) }
        texts.flag("includeSubentities", includesSubentities)
        texts.flag("includePropertyValues", includesPropertyValues)
        texts.flag("includesPendingChanges", includesPendingChanges)
        texts.flag("returnObjectsAsFaults", returnsObjectsAsFaults)
        texts.flag("returnDistinctResults", returnsDistinctResults)
        if resultType != .managedObjects { texts["resultType"] = String(resultType.rawValue) }
        return texts
    }

    var attributesOnly: Self {
        var copy = self
        copy.notes = [:]
        return copy
    }
}
