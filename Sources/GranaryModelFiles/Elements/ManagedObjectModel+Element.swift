import Foundation
import GranaryModel

extension ManagedObjectModel: ModelElement {
    static let elementName = "model"

    static let attributeNames = [
        "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
        "sourceLanguage", "usedWithCloudKit", "usedWithSwiftData", "userDefinedModelVersionIdentifier", "macOSVersion",
        "iOSVersion", versionIdentifiersName,
    ]

    /// Xcode's XML has room for one identifier; a model that was merged has several. They are a JSON array of text.
    private static let versionIdentifiersName = "granaryVersionIdentifiers"

    /// What Xcode looks for in every model file. A model that has no note on them is written with these.
    private static let editorTexts = [
        "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0", "lastSavedToolsVersion": "22522",
        "systemVersion": "23D60", "minimumToolsVersion": "Automatic",
    ]

    init(_ attributes: inout ElementAttributes) {
        self.init()
        versionIdentifiers = attributes.text("userDefinedModelVersionIdentifier").map { [$0] } ?? []
        if let text = attributes.text(Self.versionIdentifiersName) {
            if let all = try? JSONDecoder().decode([String].self, from: Data(text.utf8)) {
                versionIdentifiers = all
            } else {
                attributes.problem(Self.versionIdentifiersName, "is no JSON array of text")
            }
        }
    }

    var attributeTexts: [String: String] {
        var texts = Self.editorTexts
        texts["userDefinedModelVersionIdentifier"] =
            versionIdentifiers.first { !$0.isEmpty } ?? versionIdentifiers.first
        if versionIdentifiers.count > 1, let list = try? JSONEncoder().encode(versionIdentifiers) {
            texts[Self.versionIdentifiersName] = String(decoding: list, as: UTF8.self)
        }
        return texts
    }

    /// Xcode before 8, which did not write the language yet, had the identifier before all but the name.
    var attributeOrder: [String] {
        guard notes["lastSavedToolsVersion"] != nil, notes["sourceLanguage"] == nil else { return Self.attributeNames }
        let identifier = "userDefinedModelVersionIdentifier"
        return ["name", identifier] + Self.attributeNames.filter { $0 != "name" && $0 != identifier }
    }

    var attributesOnly: Self {
        var copy = ManagedObjectModel()
        copy.versionIdentifiers = versionIdentifiers
        return copy
    }
}

extension CompositeDescription: ModelElement {
    static let elementName = "composite"
    static let attributeNames = ["name"]

    init(_ attributes: inout ElementAttributes) {
        self.init(name: attributes.required("name"), elements: [])
    }

    var attributeTexts: [String: String] { ["name": name] }
    var attributesOnly: Self { CompositeDescription(name: name, elements: []) }
}

extension ConfigurationDescription: ModelElement {
    static let elementName = "configuration"
    static let attributeNames = ["name"]

    init(_ attributes: inout ElementAttributes) {
        self.init(name: attributes.required("name"), entityNames: [])
    }

    var attributeTexts: [String: String] { ["name": name] }
    var attributesOnly: Self { ConfigurationDescription(name: name, entityNames: []) }
}
