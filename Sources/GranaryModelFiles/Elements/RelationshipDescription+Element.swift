import GranaryModel

extension RelationshipDescription: ModelElement {
    static let elementName = "relationship"

    static let attributeNames = [
        "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered", "indexed",
        "spotlightIndexingEnabled", "storedInTruthFile", "destinationEntity", "inverseName", "inverseEntity",
        "elementID", "versionHashModifier", "syncable",
    ]

    init(_ attributes: inout ElementAttributes) {
        self.init(
            name: attributes.required("name"), destination: attributes.required("destinationEntity"),
            inverse: attributes.text("inverseName"))
        isOptional = attributes.flag("optional")
        isTransient = attributes.flag("transient")
        isOrdered = attributes.flag("ordered")
        isIndexed = attributes.flag("indexed")
        isIndexedBySpotlight = attributes.flag("spotlightIndexingEnabled")
        isStoredInExternalRecord = attributes.flag("storedInTruthFile")
        isSyncable = attributes.flag("syncable")
        let isToMany = attributes.flag("toMany")
        // Both counts go into the version hash as they are written. −1 occurs in models made in code.
        minCount = attributes.integer("minCount", in: 0...Int(Int32.max)) ?? 0
        maxCount = attributes.integer("maxCount", in: -1...Int(Int32.max)) ?? (isToMany ? 0 : 1)
        deleteRule =
            attributes.choice("deletionRule", "Nullify, Cascade, Deny or No Action", DeleteRule.init(name:)) ?? .nullify
        renamingIdentifier = attributes.text("elementID")
        versionHashModifier = attributes.text("versionHashModifier")
    }

    var attributeTexts: [String: String] {
        var texts = ["name": name, "destinationEntity": destinationEntityName, "deletionRule": deleteRule.name]
        texts.flag("optional", isOptional)
        texts.flag("transient", isTransient)
        texts.flag("ordered", isOrdered)
        texts.flag("indexed", isIndexed)
        texts.flag("spotlightIndexingEnabled", isIndexedBySpotlight)
        texts.flag("storedInTruthFile", isStoredInExternalRecord)
        texts.flag("syncable", isSyncable)
        texts.flag("toMany", isToMany)
        if minCount != 0 { texts["minCount"] = String(minCount) }
        if maxCount != 0 { texts["maxCount"] = String(maxCount) }
        texts["inverseName"] = inverseName
        // An inverse that a parent of the destination declares is named with that parent; a note keeps it.
        if inverseName != nil { texts["inverseEntity"] = destinationEntityName }
        texts["elementID"] = renamingIdentifier
        texts["versionHashModifier"] = versionHashModifier
        return texts
    }

    var attributesOnly: Self {
        var copy = self
        copy.notes = [:]
        copy.userInfo = [:]
        return copy
    }
}
