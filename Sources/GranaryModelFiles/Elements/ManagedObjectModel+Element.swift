import Foundation
import GranaryModel

extension ManagedObjectModel: ModelElement {
    static let elementName = "model"

    /// The five constants are attributes that Xcode expects in every model file. A note replaces them.
    static let fields: [ElementField<Self>] = [
        .written("name"),
        .written("type") { _ in "com.apple.IDECoreDataModeler.DataModel" },
        .written("documentVersion") { _ in "1.0" },
        .written("lastSavedToolsVersion") { _ in "22522" },
        .written("systemVersion") { _ in "23D60" },
        .written("minimumToolsVersion") { _ in "Automatic" },
        .written("sourceLanguage"),
        .written("usedWithCloudKit"),
        .written("usedWithSwiftData"),
        ElementField(
            name: identifierName, read: { $1.versionIdentifiers = $0.text(identifierName).map { [$0] } ?? [] },
            text: { $0.versionIdentifiers.first { !$0.isEmpty } ?? $0.versionIdentifiers.first }),
        .written("macOSVersion"),
        .written("iOSVersion"),
        ElementField(
            name: identifierListName,
            read: {
                guard let text = $0.text(identifierListName) else { return }
                if let all = try? JSONDecoder().decode([String].self, from: Data(text.utf8)) {
                    $1.versionIdentifiers = all
                } else {
                    $0.problem(identifierListName, "is not a JSON array of strings")
                }
            },
            text: {
                guard $0.versionIdentifiers.count > 1 else { return nil }
                return (try? JSONEncoder().encode($0.versionIdentifiers)).map { String(decoding: $0, as: UTF8.self) }
            }),
        // The compiler of the .mom that the XML was converted from. Xcode does not write them.
        .written("CDMCompilerToolVersion"),
        .written("CDMCompilerXcodeVersion"),
    ]

    private static let identifierName = "userDefinedModelVersionIdentifier"
    /// Xcode's XML holds one identifier; a merged model has several. They are a JSON array of strings.
    private static let identifierListName = "granaryVersionIdentifiers"

    init(required attributes: inout ElementAttributes) { self.init() }

    /// Xcode before version 8, which did not write `sourceLanguage`, wrote the identifier directly after the name.
    var attributeOrder: [String] {
        guard notes["lastSavedToolsVersion"] != nil, notes["sourceLanguage"] == nil else { return Self.attributeNames }
        let first = ["name", Self.identifierName]
        return first + Self.attributeNames.filter { !first.contains($0) }
    }

    mutating func removeChildren() {
        (entities, composites, configurations, fetchRequestTemplates) = ([], [], [], [])
    }
}

extension CompositeDescription: ModelElement {
    static let elementName = "composite"
    static let fields: [ElementField<Self>] = [.written("name") { $0.name }]

    init(required attributes: inout ElementAttributes) {
        self.init(name: attributes.required("name"), elements: [])
    }

    mutating func removeChildren() { elements = [] }
}

extension ConfigurationDescription: ModelElement {
    static let elementName = "configuration"
    static let fields: [ElementField<Self>] = [.written("name") { $0.name }]

    init(required attributes: inout ElementAttributes) {
        self.init(name: attributes.required("name"), entityNames: [])
    }

    mutating func removeChildren() { entityNames = [] }
}
