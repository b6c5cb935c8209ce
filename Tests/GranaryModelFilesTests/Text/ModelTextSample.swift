import Foundation
import GranaryModel
import GranaryPredicates

/// A model with every part that a description can have.
enum ModelTextSample {
    static func model() throws -> ManagedObjectModel {
        var model = ManagedObjectModel(entities: [try thing(), part(), EntityDescription(name: "Empty")])
        var composite = CompositeDescription(name: "Address", elements: [attribute("street", .string)])
        composite.notes = ["note": "1"]
        model.composites = [composite]
        var configuration = ConfigurationDescription(name: "Cloud", entityNames: ["Thing"])
        configuration.notes = ["a": "b"]
        model.configurations = [configuration, ConfigurationDescription(name: "None", entityNames: [])]
        model.fetchRequestTemplates = requests()
        model.versionIdentifiers = ["", "2.0", "null"]
        model.notes = ["/elements[1]": "<elements>\n\t<element name=\"Ä\"/>\u{85}</elements>", "type": "true"]
        return model
    }

    private static func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
        AttributeDescription(name: name, type: type)
    }

    private static func thing() throws -> EntityDescription {
        var entity = EntityDescription(name: "Thing")
        entity.managedObjectClassName = "App.Thing"
        entity.isAbstract = true
        entity.codeGenerationType = "class"
        entity.isSyncable = true
        entity.renamingIdentifier = "Old"
        entity.versionHashModifier = "v 2"
        entity.userInfo = [
            "text": "1", "truth": "true", "number": 7, "flag": true, "real": 0.5, "huge": .real(.infinity),
            "date": .date(Date(timeIntervalSinceReferenceDate: 0.25)), "bytes": .binary(Data([0, 255])),
            "list": ["a", 1, ["b"]], "map": ["k": ["inner": "x, y: z"]], "": "", "odd key: #": "- x",
        ]
        entity.notes = ["color": "a\nb"]
        entity.attributes = try attributes()
        entity.relationships = relationships()
        entity.uniquenessConstraints = [["name"], ["number"], ["owner"], ["name", "number"], ["name"]]
        entity.compoundIndexes = [["name", "number"], []]
        entity.fetchIndexes = indexes()
        var fetched = FetchedPropertyDescription(
            name: "recent",
            fetchRequest: FetchRequestTemplate(
                name: "fetchedPropertyFetchRequest", entityName: "Part", predicateFormat: "count > $X WHERE"))
        entity.fetchedProperties = [fetched]
        fetched.name = "other"
        fetched.fetchRequest = .withoutOptions(name: "r", entityName: "Part")
        fetched.isOptional = false
        fetched.isSyncable = true
        fetched.renamingIdentifier = "o"
        fetched.versionHashModifier = "m"
        fetched.userInfo = ["a": "b"]
        fetched.notes = ["c": "d"]
        entity.fetchedProperties.append(fetched)
        return entity
    }

    private static func attributes() throws -> [AttributeDescription] {
        var name = attribute("name", .string)
        name.minimumLength = 2
        name.maximumLength = 30
        name.defaultValue = .string("two words")
        name.regularExpression = "[a-z]+, \"x\""
        name.renamingIdentifier = "title"
        name.versionHashModifier = "2"
        name.userInfo = ["unit": "kg"]
        name.notes = ["x": ""]
        name.validationRules = [
            ValidationRule(predicate: try ObjectPredicate.parse("length > 3"), message: ""),
            ValidationRule(predicate: try ObjectPredicate.parse("SELF != 'a, b'"), message: "too \"bad\""),
        ]
        var empty = attribute("empty", .string)
        empty.defaultValue = .string("")
        empty.isOptional = true
        var number = attribute("number", .integer16)
        number.minimumValue = .integer(-90)
        number.maximumValue = .integer(90)
        number.defaultValue = .integer(0)
        number.usesScalarValueType = true
        var half = attribute("half", .double)
        half.minimumValue = .double(-0.5)
        half.usesScalarValueType = false
        var date = attribute("date", .date)
        date.minimumValue = .date(Date(timeIntervalSinceReferenceDate: 0))
        date.maximumValue = .date(Date(timeIntervalSinceReferenceDate: 600_000_000.125))
        date.defaultValue = .date(Date(timeIntervalSinceReferenceDate: -1e11))
        var bytes = attribute("bytes", .binary)
        bytes.defaultValue = .binary(Data([1, 2, 255]))
        bytes.allowsExternalBinaryDataStorage = true
        bytes.allowsCloudEncryption = true
        bytes.preservesValueInHistoryOnDeletion = true
        var flag = attribute("flag", .boolean)
        flag.defaultValue = .boolean(true)
        flag.isIndexed = true
        flag.isIndexedBySpotlight = true
        flag.isStoredInExternalRecord = true
        flag.isSyncable = true
        var price = attribute("price", .decimal)
        price.defaultValue = .decimal(Decimal(string: "0.10") ?? 0)
        price.maximumValue = .decimal(1_000)
        var list = attribute("list", .transformable)
        list.valueTransformerName = "NSSecureUnarchiveFromData"
        list.valueClassName = "[String]"
        var odd = attribute("odd", .transformable)
        odd.valueTransformerName = "a (b)"
        var address = attribute("address", .composite)
        address.compositeName = "Address"
        var derived = attribute("count", .integer64)
        derived.derivationExpression = "parts.@count"
        var undefined = attribute("undefined", .undefined)
        undefined.isTransient = true
        var key = attribute("key", .uuid)
        key.defaultValue = .uuid(UUID(uuidString: "00000000-0000-0000-0000-00000000000A") ?? UUID())
        var link = attribute("link", .uri)
        link.defaultValue = URL(string: "https://a.example/x?y=1#z").map { .uri($0) }
        return [
            name, empty, number, half, date, bytes, flag, price, list, odd, address, derived, undefined, key, link,
        ]
    }

    private static func relationships() -> [RelationshipDescription] {
        var owner = RelationshipDescription(name: "owner", destination: "Thing", inverse: "owned")
        owner.isOptional = true
        owner.minCount = 1
        owner.renamingIdentifier = "o"
        owner.versionHashModifier = "h"
        owner.userInfo = ["a": 1]
        owner.notes = ["n": "m"]
        var owned = RelationshipDescription(name: "owned", destination: "Thing", inverse: "owner")
        owned.maxCount = 0
        owned.minCount = 2
        owned.isOrdered = true
        owned.deleteRule = .cascade
        var parts = RelationshipDescription(name: "parts", destination: "Part", inverse: "whole")
        parts.maxCount = 5
        parts.isTransient = true
        parts.isIndexed = true
        parts.isIndexedBySpotlight = true
        parts.isStoredInExternalRecord = true
        parts.isSyncable = true
        parts.deleteRule = .noAction
        var code = RelationshipDescription(name: "code", destination: "Part")
        code.maxCount = -1
        code.deleteRule = .deny
        var odd = RelationshipDescription(name: "odd", destination: "Odd Entity", inverse: "odd inverse")
        odd.isOptional = true
        var same = RelationshipDescription(name: "same", destination: "Thing", inverse: "same")
        same.maxCount = 0
        return [owner, owned, parts, code, odd, same]
    }

    /// The inverse of `whole` is not the relationship that names it, and `twice` is named twice.
    private static func part() -> EntityDescription {
        var part = EntityDescription(name: "Part")
        part.superentityName = "Thing"
        part.relationships = [
            RelationshipDescription(name: "whole", destination: "Thing", inverse: "parts"),
            RelationshipDescription(name: "alone", destination: "Part"),
            RelationshipDescription(name: "claims", destination: "Part", inverse: "alone"),
            RelationshipDescription(name: "twice", destination: "Part", inverse: "first"),
            RelationshipDescription(name: "first", destination: "Part", inverse: "twice"),
            RelationshipDescription(name: "second", destination: "Part", inverse: "twice"),
        ]
        return part
    }

    private static func indexes() -> [FetchIndexDescription] {
        var partial = FetchIndexDescription(
            name: "partial",
            elements: [
                .init(propertyName: "name", isAscending: false), .init(propertyName: "odd name"),
                .init(expression: "SELF"),
            ])
        partial.partialIndexPredicate = "flag == 1"
        partial.notes = ["a": "b"]
        partial.elements[0].kind = .rTree
        partial.elements[1].notes = ["c": "d"]
        partial.elements[2].expressionType = .integer64
        partial.elements[2].isAscending = false
        return [FetchIndexDescription(name: "byName", elements: [.init(propertyName: "name")]), partial]
    }

    private static func requests() -> [FetchRequestTemplate] {
        var full = FetchRequestTemplate.withoutOptions(name: "full", entityName: "Thing")
        full.predicateFormat = ""
        full.sortDescriptors = [
            ObjectSortDescriptor("name", ascending: false, comparison: .localizedStandard),
            ObjectSortDescriptor("a b"), ObjectSortDescriptor("number"),
        ]
        full.resultType = .count
        full.fetchLimit = 3
        full.fetchBatchSize = 20
        full.returnsDistinctResults = true
        full.notes = ["a": "b"]
        return [full, FetchRequestTemplate(name: "all", entityName: "Thing")]
    }
}
