import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranaryModelFiles

/// Models as text: what is read, and that writing loses nothing.
struct ModelTextTests {
    private static func read(_ text: String, isJSON: Bool = false) throws -> ManagedObjectModel {
        try ModelTextReader.read(Array(text.utf8), source: "m.granary.yaml", isJSON: isJSON)
    }

    private static func text(_ model: ManagedObjectModel, isJSON: Bool = false) throws -> String {
        String(decoding: try ModelTextWriter.write(model, isJSON: isJSON, target: "m"), as: UTF8.self)
    }

    static let example = """
        entities:
          Airport:
            attributes: {ident: string! unique, name: string!, latitude: double -90...90, iata: string(...3), opened: date}
            relationships: {country: Country! <-> airports}
          Country: {attributes: {code: string! unique}, relationships: {airports: "[Airport] deny"}}
        """

    private static func exampleModel() -> ManagedObjectModel {
        var airport = EntityDescription(name: "Airport")
        var attributes = [
            AttributeDescription(name: "ident", type: .string), AttributeDescription(name: "name", type: .string),
            AttributeDescription(name: "latitude", type: .double), AttributeDescription(name: "iata", type: .string),
            AttributeDescription(name: "opened", type: .date),
        ]
        for index in 2...4 { attributes[index].isOptional = true }
        attributes[2].minimumValue = .double(-90)
        attributes[2].maximumValue = .double(90)
        attributes[3].maximumLength = 3
        airport.attributes = attributes
        airport.uniquenessConstraints = [["ident"]]
        airport.relationships = [RelationshipDescription(name: "country", destination: "Country", inverse: "airports")]
        var country = EntityDescription(name: "Country")
        country.attributes = [AttributeDescription(name: "code", type: .string)]
        country.uniquenessConstraints = [["code"]]
        var airports = RelationshipDescription(name: "airports", destination: "Airport", inverse: "country")
        airports.isOptional = true
        airports.maxCount = 0
        airports.deleteRule = .deny
        country.relationships = [airports]
        return ManagedObjectModel(entities: [airport, country])
    }

    @Test func theExampleIsRead() throws {
        let model = try Self.read(Self.example)
        #expect(model == Self.exampleModel())
        _ = try model.resolved()
    }

    /// The last entity has a unique property, the composites follow it.
    @Test func aModelWithCompositesAndUniquePropertiesIsTheSameAgain() throws {
        let text = """
            entities:
              Q:
                attributes:
                  k: string! unique
                  adr: composite(Adr)
            composites:
              Adr:
                attributes:
                  street: string

            """
        let model = try Self.read(text)
        #expect(model.entities.first?.uniquenessConstraints == [["k"]])
        #expect(model.composites.first?.elements.map(\.name) == ["street"])
        #expect(try Self.text(model) == text)
        #expect(try Self.read(Self.text(model, isJSON: true), isJSON: true) == model)
        // The composites can come first.
        let first = "composites: {Adr: {attributes: {street: string}}}\n"
        #expect(try Self.read(first + "entities: {Q: {attributes: {k: string! unique, adr: composite(Adr)}}}") == model)
    }

    /// YAML marks keys of more than 1,024 characters, and its reader uses U+E000 for itself.
    @Test(arguments: [
        String(repeating: "k", count: 1020), String(repeating: "é", count: 1100), String(repeating: "\"", count: 600),
        "\u{E000}x", "x\u{E000}", "x\u{FEFF}y",
    ])
    func anyNameIsAKey(_ name: String) throws {
        var entity = EntityDescription(name: name)
        var attribute = AttributeDescription(name: name, type: .string)
        attribute.userInfo = [name: .string("v"), "other": .string(name)]
        entity.attributes = [attribute, AttributeDescription(name: "a", type: .string)]
        entity.userInfo = [name: .string(name)]
        let model = ManagedObjectModel(entities: [entity])
        #expect(try Self.read(Self.text(model)) == model)
        #expect(try Self.read(Self.text(model, isJSON: true), isJSON: true) == model)
    }

    @Test func theExampleIsWrittenWithALineForEachProperty() throws {
        #expect(
            try Self.text(Self.exampleModel()) == """
                entities:
                  Airport:
                    attributes:
                      ident: string! unique
                      name: string!
                      latitude: double -90...90
                      iata: string(...3)
                      opened: date
                    relationships:
                      country: Country! <-> airports
                  Country:
                    attributes:
                      code: string! unique
                    relationships:
                      airports: "[Airport] deny"

                """)
    }

    /// The long form beside each short one of the example.
    @Test func theLongFormMeansTheSame() throws {
        let text = """
            entities:
              Airport:
                attributes:
                  ident: {type: string, required: true, unique: true}
                  name: {type: string, required: true}
                  latitude: {type: double, minimum: -90, maximum: 90}
                  iata: {type: string, maximum-length: 3}
                  opened: {type: date}
                relationships:
                  country: {to: Country, required: true, inverse: airports}
              Country:
                attributes: {code: string!}
                unique: [code]
                relationships:
                  airports: {destination: Airport, to-many: true, delete-rule: deny, inverse: country}
            """
        #expect(try Self.read(text) == Self.exampleModel())
    }

    @Test(arguments: [false, true])
    func everyPartIsWrittenAndReadAgain(isJSON: Bool) throws {
        let model = try ModelTextSample.model()
        let text = try Self.text(model, isJSON: isJSON)
        #expect(try Self.read(text, isJSON: isJSON) == model)
        #expect(try Self.text(try Self.read(text, isJSON: isJSON), isJSON: isJSON) == text)
    }

    @Test func filesAreWrittenAndReadByTheirNames() throws {
        let folder = try TemporaryFolder()
        for name in ["m.granary.yaml", "m.granary.json", "m.yml"] {
            let url = folder.url.appending(path: name)
            try Self.exampleModel().write(to: url)
            #expect(try ManagedObjectModel(contentsOf: url) == Self.exampleModel(), "\(name)")
            #expect(throws: GranaryError.self) { try Self.exampleModel().write(to: url) }
        }
    }

    /// A name that occurs twice has no place in a mapping.
    @Test func aModelThatTextCannotHoldIsRefused() throws {
        let twice = ManagedObjectModel(entities: [EntityDescription(name: "A"), EntityDescription(name: "A")])
        for isJSON in [false, true] {
            #expect(throws: GranaryError.self) { _ = try Self.text(twice, isJSON: isJSON) }
        }
    }

    @Test(arguments: ModelSamples.names)
    func realModelsLoseNothing(name: String) throws {
        let model = try ManagedObjectModel(contentsOf: try ModelSamples.url(name))
        for isJSON in [false, true] {
            let copy = try Self.read(try Self.text(model, isJSON: isJSON), isJSON: isJSON)
            #expect(copy == model)
            if let schema = try? model.resolved() {
                #expect(try copy.resolved().versionHashes == schema.versionHashes)
            }
        }
    }

    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
    func realCompiledModelsLoseNothing() throws {
        for file in try SharedFiles.files(below: "coredata/compiled") where file.pathExtension == "mom" {
            guard let model = try? ManagedObjectModel(contentsOf: file) else { continue }
            for isJSON in [false, true] {
                #expect(try Self.read(try Self.text(model, isJSON: isJSON), isJSON: isJSON) == model, "\(file.path)")
            }
        }
    }
}
