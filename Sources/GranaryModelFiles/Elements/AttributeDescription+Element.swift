import GranaryModel

extension AttributeDescription: ModelElement {
    static let elementName = "attribute"

    static let attributeNames = [
        "name", "optional", "transient", "attributeType", "valueTransformerName", "customClassName",
        "minDateTimeInterval", "minValueString", "maxDateTimeInterval", "maxValueString", "defaultDateTimeInterval",
        "defaultValueString", "regularExpressionString", "usesScalarValueType", "derived", "derivationExpression",
        "allowsExternalBinaryDataStorage", "allowsCloudEncryption", "preserveAfterDeletion",
        "spotlightIndexingEnabled", "storedInTruthFile", "indexed", "composite", "elementID", "versionHashModifier",
        "syncable",
    ]

    init(_ attributes: inout ElementAttributes) {
        let type = attributes.choice("attributeType", "an attribute type", AttributeType.init(name:)) ?? .undefined
        self.init(name: attributes.required("name"), type: type)
        isOptional = attributes.flag("optional")
        isTransient = attributes.flag("transient")
        isIndexed = attributes.flag("indexed")
        allowsExternalBinaryDataStorage = attributes.flag("allowsExternalBinaryDataStorage")
        preservesValueInHistoryOnDeletion = attributes.flag("preserveAfterDeletion")
        allowsCloudEncryption = attributes.flag("allowsCloudEncryption")
        isIndexedBySpotlight = attributes.flag("spotlightIndexingEnabled")
        isStoredInExternalRecord = attributes.flag("storedInTruthFile")
        isSyncable = attributes.flag("syncable")
        usesScalarValueType = attributes.boolean("usesScalarValueType")
        regularExpression = attributes.text("regularExpressionString")
        valueTransformerName = attributes.text("valueTransformerName")
        valueClassName = attributes.text("customClassName")
        compositeName = attributes.text("composite")
        renamingIdentifier = attributes.text("elementID")
        versionHashModifier = attributes.text("versionHashModifier")
        if attributes.flag("derived") { derivationExpression = attributes.required("derivationExpression") }
        readDefault(&attributes)
        readBounds(&attributes)
    }

    private mutating func readDefault(_ attributes: inout ElementAttributes) {
        defaultValue =
            type == .date
            ? attributes.choice("defaultDateTimeInterval", "a number of seconds since 2001", ModelText.date)
            : attributes.defaultValue("defaultValueString", type)
    }

    private mutating func readBounds(_ attributes: inout ElementAttributes) {
        switch type {
        case .string:
            // Nothing is what an emptied field of the editor leaves behind.
            if attributes.text("minValueString") != "" {
                minimumLength = attributes.integer("minValueString", in: 0...Int.max)
            }
            if attributes.text("maxValueString") != "" {
                maximumLength = attributes.integer("maxValueString", in: 0...Int.max)
            }
        case .date:
            let seconds = "a number of seconds since 2001"
            minimumValue = attributes.choice("minDateTimeInterval", seconds, ModelText.date)
            maximumValue = attributes.choice("maxDateTimeInterval", seconds, ModelText.date)
        case .integer16, .integer32, .integer64, .decimal, .double, .float:
            minimumValue = attributes.value("minValueString", type)
            maximumValue = attributes.value("maxValueString", type)
        default: break
        }
    }

    var attributeTexts: [String: String] {
        var texts = ["name": name]
        if type != .undefined { texts["attributeType"] = type.name }
        texts.flag("optional", isOptional)
        texts.flag("transient", isTransient)
        texts.flag("indexed", isIndexed)
        texts.flag("allowsExternalBinaryDataStorage", allowsExternalBinaryDataStorage)
        texts.flag("preserveAfterDeletion", preservesValueInHistoryOnDeletion)
        texts.flag("allowsCloudEncryption", allowsCloudEncryption)
        texts.flag("spotlightIndexingEnabled", isIndexedBySpotlight)
        texts.flag("storedInTruthFile", isStoredInExternalRecord)
        texts.flag("syncable", isSyncable)
        texts.flag("derived", derivationExpression != nil)
        texts["usesScalarValueType"] = usesScalarValueType.map { $0 ? "YES" : "NO" }
        texts["regularExpressionString"] = regularExpression
        texts["valueTransformerName"] = valueTransformerName
        texts["customClassName"] = valueClassName
        texts["composite"] = compositeName
        texts["elementID"] = renamingIdentifier
        texts["versionHashModifier"] = versionHashModifier
        texts["derivationExpression"] = derivationExpression
        texts["defaultDateTimeInterval"] = ModelText.seconds(defaultValue)
        texts["defaultValueString"] = defaultValue.flatMap(ModelText.text)
        texts["minDateTimeInterval"] = ModelText.seconds(minimumValue)
        texts["maxDateTimeInterval"] = ModelText.seconds(maximumValue)
        texts["minValueString"] = minimumLength.map(String.init) ?? minimumValue.flatMap(ModelText.text)
        texts["maxValueString"] = maximumLength.map(String.init) ?? maximumValue.flatMap(ModelText.text)
        return texts
    }

    var attributesOnly: Self {
        var copy = self
        copy.notes = [:]
        copy.userInfo = [:]
        return copy
    }
}
