import Foundation
import Testing

@testable import GranaryModel
@testable import GranaryPredicates

@Suite struct CodingTests {
    @Test(arguments: 0..<40)
    func everyFieldSurvivesEachCoder(_ seed: Int) throws {
        var maker = RandomModel(seed: seed)
        let model = maker.model()
        let json = try JSONEncoder().encode(model)
        #expect(try JSONDecoder().decode(ManagedObjectModel.self, from: json) == model)
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            let list = try encoder.encode(model)
            #expect(try PropertyListDecoder().decode(ManagedObjectModel.self, from: list) == model)
        }
    }

    /// Changing any field changes the archive: a field that is forgotten by both coding directions would be equal.
    @Test func noFieldIsForgotten() throws {
        let names = [
            Set(Mirror(reflecting: AttributeDescription(name: "a", type: .string)).children.compactMap(\.label)):
                try keys(of: Self.full().attributes[0]),
            Set(Mirror(reflecting: EntityDescription(name: "a")).children.compactMap(\.label)):
                try keys(of: Self.full()),
            Set(Mirror(reflecting: Self.full().relationships[0]).children.compactMap(\.label)):
                try keys(of: Self.full().relationships[0]),
            Set(Mirror(reflecting: Self.full().fetchedProperties[0]).children.compactMap(\.label)):
                try keys(of: Self.full().fetchedProperties[0]),
            Set(Mirror(reflecting: Self.full().fetchedProperties[0].fetchRequest).children.compactMap(\.label)):
                try keys(of: Self.full().fetchedProperties[0].fetchRequest),
        ]
        for (fields, keys) in names { #expect(fields == keys) }
    }

    private func keys(of value: some Encodable) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        return Set((object as? [String: Any] ?? [:]).keys)
    }

    /// Every field as it is not by default.
    private static func full() -> EntityDescription {
        var entity = EntityDescription(
            "E", [.attribute("a", .string), .toOne("r", "E", inverse: "r")], superentity: "P",
            isAbstract: true, unique: [["a"]])
        entity.managedObjectClassName = "C"
        entity.fetchIndexes = [FetchIndexDescription(name: "i", elements: [])]
        entity.compoundIndexes = [["a"]]
        entity.codeGenerationType = "class"
        entity.isSyncable = true
        entity.renamingIdentifier = "o"
        entity.versionHashModifier = "1"
        entity.userInfo = ["a": "b"]
        entity.notes = ["a": "b"]

        var attribute = entity.attributes[0]
        attribute.isTransient = true
        attribute.isIndexed = true
        attribute.defaultValue = "x"
        attribute.allowsExternalBinaryDataStorage = true
        attribute.preservesValueInHistoryOnDeletion = true
        attribute.allowsCloudEncryption = true
        attribute.isIndexedBySpotlight = true
        attribute.isStoredInExternalRecord = true
        attribute.minimumLength = 1
        attribute.maximumLength = 2
        attribute.minimumValue = 1
        attribute.maximumValue = 2
        attribute.regularExpression = "a"
        attribute.validationRules = [ValidationRule(predicate: .constant(true), message: "m")]
        attribute.valueTransformerName = "t"
        attribute.valueClassName = "v"
        attribute.compositeName = "c"
        attribute.derivationExpression = "d"
        attribute.usesScalarValueType = false
        attribute.isSyncable = true
        attribute.renamingIdentifier = "o"
        attribute.versionHashModifier = "1"
        attribute.userInfo = ["a": "b"]
        attribute.notes = ["a": "b"]
        entity.attributes = [attribute]

        var relationship = entity.relationships[0]
        relationship.isTransient = true
        relationship.minCount = 1
        relationship.maxCount = 2
        relationship.isOrdered = true
        relationship.deleteRule = .deny
        relationship.isIndexed = true
        relationship.isIndexedBySpotlight = true
        relationship.isStoredInExternalRecord = true
        relationship.isSyncable = true
        relationship.renamingIdentifier = "o"
        relationship.versionHashModifier = "1"
        relationship.userInfo = ["a": "b"]
        relationship.notes = ["a": "b"]
        entity.relationships = [relationship]

        var request = FetchRequestTemplate(name: "f", entityName: "E", predicateFormat: "a == 1")
        request.resultType = .count
        request.sortDescriptors = [ObjectSortDescriptor("a", ascending: false)]
        request.fetchLimit = 1
        request.fetchBatchSize = 1
        request.includesSubentities = true
        request.includesPropertyValues = true
        request.includesPendingChanges = true
        request.returnsObjectsAsFaults = true
        request.returnsDistinctResults = true
        request.notes = ["a": "b"]
        var property = FetchedPropertyDescription(name: "f", fetchRequest: request)
        property.isOptional = false
        property.isSyncable = true
        property.renamingIdentifier = "o"
        property.versionHashModifier = "1"
        property.userInfo = ["a": "b"]
        property.notes = ["a": "b"]
        entity.fetchedProperties = [property]
        return entity
    }

    @Test func whatIsByDefaultIsLeftOut() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "E",
                [.attribute("a", .integer16, .required, .defaultValue(3)), .toOne("r", "E", inverse: nil, .required)])
        ])
        #expect(
            String(decoding: try encoder.encode(model), as: UTF8.self) == """
                {"entities":[{"attributes":[{"defaultValue":{"integer":3},"name":"a","type":"Integer 16"}],"name":"E",\
                "relationships":[{"destinationEntityName":"E","name":"r"}]}]}
                """)
        #expect(String(decoding: try encoder.encode(ManagedObjectModel()), as: UTF8.self) == "{}")
    }

    @Test func unknownKeysAndWrongValuesAreRefused() throws {
        func decode(_ text: String) throws -> ManagedObjectModel {
            try JSONDecoder().decode(ManagedObjectModel.self, from: Data(text.utf8))
        }
        for text in [
            #"{"later": 1, "entities": []}"#, #"{"entities": [{"name": "E", "newer": []}]}"#,
            #"{"entities": [{"name": "E", "attributes": [{"name": "a", "type": "String", "isOptinal": true}]}]}"#,
        ] {
            #expect(throws: DecodingError.self) { try decode(text) }
        }
        let attribute =
            #"{"entities": [{"name": "E", "attributes": [{"name": "a", "type": "TYPE", "defaultValue": VALUE}]}]}"#
        func decode(type: String, value: String) throws -> AttributeValue? {
            try decode(attribute.replacing("TYPE", with: type).replacing("VALUE", with: value))
                .entities[0].attributes[0].defaultValue
        }
        #expect(try decode(type: "String", value: #"{"decimal": "1.50"}"#) == .decimal(Decimal(string: "1.5") ?? 0))
        for (type, value) in [
            ("Strong", #"{"string": ""}"#), ("String", "{}"), ("String", #"{"string": "", "integer": 1}"#),
            ("String", #"{"words": ""}"#), ("String", #""x""#), ("String", #"{"decimal": "1x"}"#),
            ("String", #"{"decimal": ""}"#), ("String", #"{"decimal": 1}"#), ("String", #"{"uri": ""}"#),
            ("String", #"{"uuid": "x"}"#), ("String", #"{"integer": 1.5}"#),
            ("String", #"{"integer": 9223372036854775808}"#),
        ] {
            #expect(throws: DecodingError.self, "\(type) \(value)") { try decode(type: type, value: value) }
        }
        let rule =
            #"{"entities":[{"name":"E","relationships":[{"name":"r","destinationEntityName":"E","deleteRule":"no"}]}]}"#
        #expect(throws: DecodingError.self) { try decode(rule) }
    }

    @Test func textKeepsItsBytes() throws {
        for text in ["é", "e\u{301}", "\u{FEFF}a", "\u{0}"] {
            let data = try JSONEncoder().encode(AttributeValue.string(text))
            guard case .string(let again) = try JSONDecoder().decode(AttributeValue.self, from: data) else {
                Issue.record("not a String")
                continue
            }
            #expect(again.utf8.elementsEqual(text.utf8))
        }
    }
}
