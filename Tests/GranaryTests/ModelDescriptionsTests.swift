import Foundation
import Granary
import TestSupport
import Testing

/// Models built in code: every property of their descriptions, and their forms as files and JSON.
@Suite("Model descriptions") struct ModelDescriptionsTests {
    /// A model in which every property has another value than its default.
    private static func model() -> ManagedObjectModel {
        var attribute = AttributeDescription(name: "code", type: .string)
        attribute.isOptional = true
        attribute.isIndexed = true
        attribute.defaultValue = "AB"
        attribute.preservesValueInHistoryOnDeletion = true
        attribute.allowsCloudEncryption = true
        attribute.isIndexedBySpotlight = true
        attribute.isStoredInExternalRecord = true
        attribute.minimumLength = 1
        attribute.maximumLength = 9
        attribute.regularExpression = "[A-Z]+"
        attribute.usesScalarValueType = false
        attribute.isSyncable = true
        attribute.renamingIdentifier = "key"
        attribute.versionHashModifier = "2"
        attribute.userInfo = ["unit": "none"]
        attribute.notes = ["customClassName": "X"]

        var relationship = RelationshipDescription(name: "parts", destination: "Part", inverse: "whole")
        relationship.isOptional = true
        relationship.minCount = 1
        relationship.maxCount = 4
        relationship.isOrdered = true
        relationship.deleteRule = .cascade
        relationship.isIndexed = true
        relationship.isIndexedBySpotlight = true
        relationship.isStoredInExternalRecord = true
        relationship.isSyncable = true
        relationship.renamingIdentifier = "pieces"
        relationship.versionHashModifier = "2"
        relationship.userInfo = ["a": "b"]
        relationship.notes = ["a": "b"]

        var template = FetchRequestTemplate(name: "all", entityName: "Part", predicateFormat: "size > 1")
        template.resultType = .managedObjectIDs
        template.fetchLimit = 5
        template.fetchBatchSize = 2
        template.includesSubentities = true
        template.includesPropertyValues = true
        template.includesPendingChanges = true
        template.returnsObjectsAsFaults = true
        template.returnsDistinctResults = true
        var fetched = FetchedPropertyDescription(name: "large", fetchRequest: template)
        fetched.isSyncable = true
        fetched.renamingIdentifier = "big"
        fetched.versionHashModifier = "2"
        fetched.userInfo = ["a": "b"]
        fetched.isOptional = false
        fetched.notes = ["a": "b"]

        var index = FetchIndexDescription(
            name: "byCode", elements: [FetchIndexDescription.Element(propertyName: "code", isAscending: false)])
        index.partialIndexPredicate = "code != nil"
        var whole = EntityDescription(name: "Whole")
        whole.attributes = [attribute]
        whole.relationships = [relationship]
        whole.fetchedProperties = [fetched]
        whole.fetchIndexes = [index]
        whole.compoundIndexes = [["code"]]
        whole.codeGenerationType = "class"
        whole.managedObjectClassName = "Whole"
        whole.isSyncable = true
        whole.renamingIdentifier = "Thing"
        whole.versionHashModifier = "2"
        whole.userInfo = ["a": "b"]
        var model = ManagedObjectModel(entities: [
            whole,
            EntityDescription(
                "Part",
                [
                    .attribute("size", .integer64), .attribute("shape", .composite, .composite("Shape")),
                    .attribute("note", .undefined, .transient),
                    .attribute("color", .transformable, .transformer("Colors", valueClass: "Color")),
                    .attribute("count", .integer64, .derived("size"), .renamed(from: "number")),
                    .toOne("whole", "Whole", inverse: "parts", .required),
                    .toMany("links", "Part", inverse: nil, .deleteRule(.deny), .transient),
                    .fetched("small", "Part", where: "size < 1"),
                ]),
        ])
        model.composites = [
            CompositeDescription(
                name: "Shape",
                elements: [
                    AttributeDescription(name: "width", type: .double),
                    AttributeDescription(name: "round", type: .boolean),
                ])
        ]
        model.fetchRequestTemplates = [template]
        model.versionIdentifiers = ["2"]
        model.configurations = [ConfigurationDescription(name: "Parts", entityNames: ["Part"])]
        return model
    }

    @Test("Every property survives JSON, a property list and a model file")
    func codingAndWriting() throws {
        let model = Self.model()
        let json = try JSONEncoder().encode(model)
        #expect(try JSONDecoder().decode(ManagedObjectModel.self, from: json) == model)
        let list = try PropertyListEncoder().encode(model)
        #expect(try PropertyListDecoder().decode(ManagedObjectModel.self, from: list) == model)

        let folder = try TemporaryFolder()
        for (name, format) in [("a.json", ModelFileFormat.json), ("b.plist", .xmlPropertyList)] {
            let url = folder.url.appending(path: name)
            try model.write(to: url, as: format)
            #expect(try ManagedObjectModel(contentsOf: url) == model)
            let error = #expect(throws: GranaryError.self) { try model.write(to: url, as: format) }
            #expect(error?.code == .uncreatable)
            try model.write(to: url, as: format, replacing: true)
        }
    }

    @Test("Attribute types and delete rules have the names and numbers of Core Data")
    func namesOfTypes() throws {
        for type in AttributeType.allCases { #expect(AttributeType(name: type.name) == type) }
        #expect(AttributeType.double.rawValue == 500 && AttributeType.transformable.rawValue == 1800)
        #expect(AttributeType.integer64.name == "Integer 64" && AttributeType(name: "Number") == nil)
        #expect(RelationshipDescription.DeleteRule.allCases == [.noAction, .nullify, .cascade, .deny])
        for rule in RelationshipDescription.DeleteRule.allCases {
            #expect(RelationshipDescription.DeleteRule(name: rule.name) == rule)
        }
        #expect(RelationshipDescription.DeleteRule(name: "Delete") == nil)
        let results: [FetchRequestTemplate.ResultType] = [.managedObjects, .managedObjectIDs, .dictionaries, .count]
        #expect(results.map(\.rawValue) == [0, 1, 2, 4])
        var element = FetchIndexDescription.Element(propertyName: nil)
        element.kind = .rTree
        element.expression = "size + 1"
        #expect(element.isAscending && element.propertyName == nil && element.kind.rawValue == "RTree")
        var key = FetchIndexDescription.Element(expression: "SELF", isAscending: false)
        key.expressionType = .objectID
        #expect(!key.isAscending && key.expression == "SELF" && key.propertyName == nil)
        let info: [String: UserInfoValue] = ["unit": "kg", "cases": ["new", 2, true, 0.5], "more": ["a": .date(.now)]]
        #expect(info["unit"]?.string == "kg" && info["cases"]?.description == "[new, 2, true, 0.5]")
    }
}
