import GranaryModel

extension EntityDescription: ModelElement {
    static let elementName = "entity"

    static let fields: [ElementField<Self>] = [
        .written("name") { $0.name },
        .text("representedClassName", \.managedObjectClassName),
        .flag("isAbstract", \.isAbstract),
        .text("parentEntity", \.superentityName),
        .text("elementID", \.renamingIdentifier),
        .text("versionHashModifier", \.versionHashModifier),
        .flag("syncable", \.isSyncable),
        .text("codeGenerationType", \.codeGenerationType),
    ]

    init(required attributes: inout ElementAttributes) { self.init(name: attributes.required("name")) }

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
