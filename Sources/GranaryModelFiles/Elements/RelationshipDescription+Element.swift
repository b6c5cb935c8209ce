import GranaryModel

extension RelationshipDescription: ModelElement {
    static let elementName = "relationship"

    static let fields: [ElementField<Self>] = [
        .written("name") { $0.name },
        .flag("optional", \.isOptional),
        .flag("transient", \.isTransient),
        .written("toMany") { $0.isToMany ? "YES" : nil },
        // Both counts go into the version hash as they are written. −1 occurs in models made in code.
        ElementField(
            name: "minCount", read: { $1.minCount = $0.integer("minCount", in: 0...Int(Int32.max)) ?? 0 },
            text: { $0.minCount == 0 ? nil : String($0.minCount) }),
        ElementField(
            name: "maxCount",
            read: {
                let isToMany = $0.flag("toMany")
                $1.maxCount = $0.integer("maxCount", in: -1...Int(Int32.max)) ?? (isToMany ? 0 : 1)
            },
            text: { $0.maxCount == 0 ? nil : String($0.maxCount) }),
        ElementField(
            name: "deletionRule",
            read: {
                let rule = $0.choice(
                    "deletionRule", "Nullify, Cascade, Deny or No Action", DeleteRule.init(name:))
                $1.deleteRule = rule ?? .nullify
            },
            text: { $0.deleteRule.name }),
        .flag("ordered", \.isOrdered),
        .flag("indexed", \.isIndexed),
        .flag("spotlightIndexingEnabled", \.isIndexedBySpotlight),
        .flag("storedInTruthFile", \.isStoredInExternalRecord),
        .written("destinationEntity") { $0.destinationEntityName },
        .written("inverseName") { $0.inverseName },
        // If a parent of the destination declares the inverse, the file names that parent; a note keeps the name.
        .written("inverseEntity") { $0.inverseName == nil ? nil : $0.destinationEntityName },
        .text("elementID", \.renamingIdentifier),
        .text("versionHashModifier", \.versionHashModifier),
        .flag("syncable", \.isSyncable),
    ]

    init(required attributes: inout ElementAttributes) {
        self.init(
            name: attributes.required("name"), destination: attributes.required("destinationEntity"),
            inverse: attributes.text("inverseName"))
    }

    mutating func removeChildren() { userInfo = [:] }
}
