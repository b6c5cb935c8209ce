import GranaryBase
import Testing

@testable import GranaryModel

@Suite struct MergingTests {
    private let note = EntityDescription("Note", [.attribute("text", .string)])
    private let user = EntityDescription("User", [.attribute("name", .string)])

    @Test func entitiesOfBothAreThereInTheirOrder() throws {
        let merged = try ManagedObjectModel(merging: [
            ManagedObjectModel(entities: [user]), ManagedObjectModel(entities: [note, user]),
        ])
        #expect(merged.entities == [user, note])
        #expect(try ManagedObjectModel(merging: []) == ManagedObjectModel())
    }

    @Test func theOrderOfTheModelsDoesNotMatterToTheSchema() throws {
        let models = [ManagedObjectModel(entities: [user]), ManagedObjectModel(entities: [note])]
        let one = try ManagedObjectModel(merging: models).resolved()
        let other = try ManagedObjectModel(merging: models.reversed()).resolved()
        #expect(one.entities.map(\.name) == other.entities.map(\.name))
        #expect(one.digest == other.digest)
    }

    @Test func entitiesMayReferToTheOtherModel() throws {
        let parts = [
            ManagedObjectModel(entities: [EntityDescription("A", [.toOne("b", "B", inverse: "a")])]),
            ManagedObjectModel(entities: [EntityDescription("B", [.toOne("a", "A", inverse: "b")])]),
        ]
        #expect(!parts[0].problems().isEmpty)
        #expect(try ManagedObjectModel(merging: parts).resolved().entities.count == 2)
    }

    @Test func everyNameDefinedDifferentlyIsReported() throws {
        var first = ManagedObjectModel(entities: [note, user])
        first.composites = [CompositeDescription(name: "C", elements: [])]
        first.fetchRequestTemplates = [FetchRequestTemplate(name: "all", entityName: "Note")]
        var second = ManagedObjectModel(entities: [
            EntityDescription("Note", [.attribute("text", .uri)]), EntityDescription("User", []),
        ])
        second.composites = [
            CompositeDescription(name: "C", elements: [AttributeDescription(name: "x", type: .double)])
        ]
        second.fetchRequestTemplates = [FetchRequestTemplate(name: "all", entityName: "User")]
        let error = try #require(throws: GranaryError.self) {
            try ManagedObjectModel(merging: [first, second])
        }
        #expect(error.code == .refused)
        #expect(error.diagnostics.map(\.code) == Array(repeating: .modelConflict, count: 4))
        #expect(error.diagnostics.map(\.entity) == ["Note", "User", nil, nil])
        #expect(error.diagnostics[0].message == "two models define the entity \"Note\" differently")
    }

    @Test func whatOneModelSaysTwiceStaysAProblem() throws {
        let merged = try ManagedObjectModel(merging: [
            ManagedObjectModel(entities: [note, note]), ManagedObjectModel(entities: [user]),
        ])
        #expect(merged.problems().map(\.code).contains(.modelDuplicate))
    }

    @Test func manyConfigurations() throws { try checkConfigurations(count: 10_000) }

    func checkConfigurations(count: Int) throws {
        var first = ManagedObjectModel(entities: [note])
        first.configurations = (0..<count).map { ConfigurationDescription(name: "c\($0)", entityNames: ["Note"]) }
        first.versionIdentifiers = (0..<count).map { "\($0)" }
        let merged = try ManagedObjectModel(merging: [first, first])
        #expect(merged.configurations.count == count && merged.versionIdentifiers.count == count)
    }

    @Test func notesMakeNoDifference() throws {
        var full = EntityDescription("Note", [.attribute("text", .string), .toOne("next", "Note", inverse: nil)])
        full.fetchedProperties = [
            FetchedPropertyDescription(
                name: "all", fetchRequest: FetchRequestTemplate(name: "all", entityName: "Note"))
        ]
        full.fetchIndexes = [FetchIndexDescription(name: "i", elements: [.init(propertyName: "text")])]
        var noted = full
        noted.notes = ["a": "1"]
        noted.attributes[0].notes = ["a": "1"]
        noted.relationships[0].notes = ["a": "1"]
        noted.fetchedProperties[0].notes = ["a": "1"]
        noted.fetchedProperties[0].fetchRequest.notes = ["a": "1"]
        noted.fetchIndexes[0].notes = ["a": "1"]
        noted.fetchIndexes[0].elements[0].notes = ["a": "1"]
        let merged = try ManagedObjectModel(merging: [
            ManagedObjectModel(entities: [full]), ManagedObjectModel(entities: [noted]),
        ])
        #expect(merged.entities == [full])
    }

    @Test func configurationsAreJoined() throws {
        var first = ManagedObjectModel(entities: [note])
        first.configurations = [ConfigurationDescription(name: "Local", entityNames: ["Note"])]
        first.versionIdentifiers = ["1"]
        first.notes = ["a": "first", "b": "1"]
        var second = ManagedObjectModel(entities: [note, user])
        second.configurations = [
            ConfigurationDescription(name: "Local", entityNames: ["Note", "User"]),
            ConfigurationDescription(name: "Cloud", entityNames: ["User"]),
        ]
        second.versionIdentifiers = ["1", "2"]
        second.notes = ["a": "second"]
        let merged = try ManagedObjectModel(merging: [first, second])
        #expect(merged.configurations.map(\.name) == ["Local", "Cloud"])
        #expect(merged.configurations.map(\.entityNames) == [["Note", "User"], ["User"]])
        #expect(merged.versionIdentifiers == ["1", "2"])
        #expect(merged.notes == ["a": "first", "b": "1"])
    }
}

@Suite struct MergingLongTests {
    /// Minutes, if each name were looked for among all.
    @Test func manyConfigurations() throws { try MergingTests().checkConfigurations(count: 200_000) }
}
