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

    mutating func removeChildren() {
        (attributes, relationships, fetchedProperties) = ([], [], [])
        (uniquenessConstraints, fetchIndexes, compoundIndexes) = ([], [], [])
        userInfo = [:]
    }
}
