import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

@testable import GranaryModelFiles

/// The files that say what the plugin generates.
@Suite("Settings of generated code") struct GenerationSettingsTests {
    private let folder: TemporaryFolder
    private var model: URL { folder.url.appending(path: "Library.xcdatamodeld") }

    init() throws { folder = try TemporaryFolder() }

    @Test("Without a file everything is internal, for all entities")
    func none() throws {
        let settings = try GenerationSettings(besides: model)
        #expect(settings.access == .internal && settings.entities == nil)
    }

    @Test("The file of one model has precedence over that of all models in its folder")
    func precedence() throws {
        _ = try folder.write(#"{"access": "public", "entities": ["Book"]}"#, to: "granary.json")
        #expect(try GenerationSettings(besides: model).access == .public)
        #expect(try GenerationSettings(besides: model).entities == ["Book"])
        _ = try folder.write(#"{"access": "package"}"#, to: "Library.granary.json")
        _ = try folder.write(#"{"access": "internal"}"#, to: "Other.granary.json")
        #expect(try GenerationSettings(besides: model).access == .package)
        #expect(try GenerationSettings(besides: model).entities == nil)
    }

    @Test(
        "What is no setting is refused with the file and what is allowed",
        arguments: [
            (
                #"{"acess": "public"}"#,
                #""acess" is no setting; did you mean "access"?; the settings are access and entities"#
            ),
            (#"{"access": "open"}"#, #"access must be "internal", "package" or "public""#),
            (#"{"access": 1}"#, #"access must be "internal", "package" or "public""#),
            (#"{"access": null}"#, "access must be"), (#"{"entities": "Book"}"#, "entities must be a list of names"),
            (#"{"entities": []}"#, "entities must be a list of names"),
            (#"{"entities": [1]}"#, "entities must be a list of names"), ("[]", "is not an object of JSON"),
            ("", "is not an object of JSON"), ("{", "is not an object of JSON"),
        ])
    func refusals(_ text: String, _ message: String) throws {
        _ = try folder.write(text, to: "granary.json")
        let error = #expect(throws: GranaryError.self) { try GenerationSettings(besides: model) }
        #expect(error?.message.hasPrefix(folder.url.path + "/granary.json: ") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("An entity that the model lacks is refused with a hint and the model's entities")
    func unknownEntity() throws {
        _ = try folder.write(#"{"entities": ["Author", "Bok"]}"#, to: "granary.json")
        let schema = try ManagedObjectModel(entities: [EntityDescription("Book", []), EntityDescription("Author", [])])
            .resolved()
        let error = #expect(throws: GranaryError.self) { try GenerationSettings(besides: model).check(schema) }
        for part in ["granary.json: the model has no entity \"Bok\"", "did you mean \"Book\"", "Author"] {
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        }
        _ = try folder.write(#"{"entities": ["Author"]}"#, to: "granary.json")
        try GenerationSettings(besides: model).check(schema)
    }
}
