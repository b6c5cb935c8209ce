import GranaryModel

extension EntityDescription: ModelElement {
    static let elementName = "entity"

    static let attributeNames = [
        "name", "representedClassName", "isAbstract", "parentEntity", "elementID", "versionHashModifier", "syncable",
        "codeGenerationType",
    ]

    init(_ attributes: inout ElementAttributes) {
        self.init(name: attributes.required("name"))
        managedObjectClassName = attributes.text("representedClassName")
        isAbstract = attributes.flag("isAbstract")
        superentityName = attributes.text("parentEntity")
        renamingIdentifier = attributes.text("elementID")
        versionHashModifier = attributes.text("versionHashModifier")
        isSyncable = attributes.flag("syncable")
        codeGenerationType = attributes.text("codeGenerationType")
    }

    var attributeTexts: [String: String] {
        var texts = ["name": name]
        texts["representedClassName"] = managedObjectClassName
        texts.flag("isAbstract", isAbstract)
        texts["parentEntity"] = superentityName
        texts["elementID"] = renamingIdentifier
        texts["versionHashModifier"] = versionHashModifier
        texts.flag("syncable", isSyncable)
        texts["codeGenerationType"] = codeGenerationType
        return texts
    }

    var attributesOnly: Self {
        var copy = EntityDescription(name: name)
        copy.managedObjectClassName = managedObjectClassName
        copy.isAbstract = isAbstract
        copy.superentityName = superentityName
        copy.renamingIdentifier = renamingIdentifier
        copy.versionHashModifier = versionHashModifier
        copy.isSyncable = isSyncable
        copy.codeGenerationType = codeGenerationType
        return copy
    }
}
