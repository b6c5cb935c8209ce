import GranaryBase
import Testing

@testable import GranaryModel
@testable import GranaryPredicates

/// Enumerations of SwiftData in the schema.
@Suite struct SwiftDataSchemaTests {
    @Test(
        "A model is SwiftData's if its identifiers are versions of a schema",
        arguments: [
            (["1.0.0"], true), (["12.0.0", "2.10.3"], true), ([], false), ([""], false), (["1.0"], false),
            (["1.0.0", "x"], false), (["1.0.0.0"], false), (["1..0"], false), (["v1.0.0"], false), (["1.0.٣"], false),
        ] as [([String], Bool)])
    func recognition(_ identifiers: [String], _ expected: Bool) {
        var model = ManagedObjectModel()
        model.versionIdentifiers = identifiers
        #expect(model.isSwiftData == expected)
    }

    private static func composite(_ name: String, _ composite: String, isEnumeration: Bool = false)
        -> AttributeDescription
    {
        var attribute = AttributeDescription(name: name, type: .composite)
        attribute.compositeName = composite
        attribute.isOptional = true
        if isEnumeration { attribute.userInfo = ["EnumType": true] }
        return attribute
    }

    private static func element(_ name: String, _ type: AttributeType = .string) -> AttributeDescription {
        var attribute = AttributeDescription(name: name, type: type)
        attribute.isOptional = true
        return attribute
    }

    private static func model(_ identifier: String) -> ManagedObjectModel {
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "E",
                [
                    .attribute(composite("glass", "Glass")), .attribute(composite("profile", "Profile")),
                    .attribute(composite("spec", "Spec", isEnumeration: true)),
                    .attribute(composite("texts", "Spec")), .attribute(composite("other", "Glass")),
                    .attribute("data", .binary), .attribute("file", .binary, .externalStorage),
                ])
        ])
        model.composites = [
            CompositeDescription(name: "Glass", elements: [element("glass")]),
            CompositeDescription(
                name: "Profile", elements: [element("person"), composite("mood", "Mood"), element("list", .binary)]),
            CompositeDescription(name: "Mood", elements: [element("mood", .integer64)]),
            CompositeDescription(name: "Spec", elements: [element("a"), element("b")]),
        ]
        model.versionIdentifiers = [identifier]
        return model
    }

    @Test("An enumeration is one attribute with the name of its property")
    func names() throws {
        let entity = try #require(try Self.model("1.0.0").resolved().entity(named: "E"))
        #expect(
            entity.attributes.map(\.name) == [
                "glass", "profile.person", "profile.mood", "profile.list", "spec", "texts.a", "texts.b", "other.glass",
                "data", "file",
            ])
        #expect(entity.attributes.map(\.slot) == Array(0..<10))
        #expect(entity.attributes.filter(\.mayHoldJSON).map(\.name) == ["profile.list", "data"])
        let mood = try #require(entity.attribute(named: "profile.mood"))
        #expect(mood.type == .integer64 && mood.description.isOptional && mood.cases == nil)
        for name in ["glass.glass", "glass.rawValue", "profile.mood.mood", "profile.mood.rawValue"] {
            #expect(entity.attribute(named: name) != nil, "\(name)")
        }
        #expect(entity.attribute(named: "spec.a") == nil)
        let spec = try #require(entity.attribute(named: "spec"))
        #expect(spec.type == .string && spec.cases == ["a", "b"] && spec.description.userInfo["EnumType"] == true)
    }

    @Test("A model of Core Data has all elements under their paths")
    func coreData() throws {
        let entity = try #require(try Self.model("").resolved().entity(named: "E"))
        #expect(
            entity.attributes.map(\.name) == [
                "glass.glass", "profile.person", "profile.mood.mood", "profile.list", "spec.a", "spec.b", "texts.a",
                "texts.b", "other.glass", "data", "file",
            ])
        #expect(entity.attributes.allSatisfy { $0.cases == nil && !$0.mayHoldJSON })
    }

    @Test("The version hashes are the same")
    func hashes() throws {
        #expect(try Self.model("1.0.0").resolved().versionHashes == Self.model("").resolved().versionHashes)
    }

    @Test("A uniqueness constraint can name an enumeration with raw values, and not one with several columns")
    func constraints() throws {
        var model = Self.model("1.0.0")
        model.entities[0].uniquenessConstraints = [["glass"]]
        let entity = try #require(try model.resolved().entity(named: "E"))
        #expect(entity.uniquenessConstraints.map(\.properties) == [[.attribute(0)]])
        model.entities[0].uniquenessConstraints = [["spec"]]
        #expect(throws: GranaryError.self) { try model.resolved() }
    }

    @Test(
        "A predicate names the raw value as Swift and Core Data do",
        arguments: [
            ("glass == 'a'", "glass == \"a\""), ("glass.rawValue == 'a'", "glass == \"a\""),
            ("glass.glass == 'a'", "glass == \"a\""), ("SELF.glass.rawValue == 'a'", "glass == \"a\""),
            ("profile.mood.rawValue > 1", "profile.mood > 1"), ("profile.mood.mood > 1", "profile.mood > 1"),
            ("spec IN {'a', 'b'}", "spec IN {\"a\", \"b\"}"),
        ])
    func predicates(_ text: String, _ expected: String) throws {
        let schema = try Self.model("1.0.0").resolved()
        let resolver = PredicateResolver(schema: schema, entity: schema.entities[0])
        #expect("\(try resolver.resolve(try ObjectPredicate(text)))" == expected)
    }

    @Test("A value that is not in the list of a rule is reported with the list")
    func allowedTexts() throws {
        let schema = try Self.model("1.0.0").resolved()
        let spec = try #require(schema.entities[0].attribute(named: "spec"))
        let wrong = AttributeValue.string("c").withBorrowed { spec.validator.violations(of: $0) }
        #expect(wrong.map(\.message) == ["\"c\" is not one of \"a\", \"b\""])
        #expect(wrong.map(\.code) == [.valuePredicate])
        #expect(AttributeValue.string("b").withBorrowed { spec.validator.violations(of: $0) } == [])
        var long = AttributeDescription(name: "x", type: .string)
        let values = (0..<9).map { "value \($0)" }
        long.validationRules = [
            ValidationRule(
                predicate: .comparison(
                    .init(.evaluatedObject, .isIn, .list(values.map { .constant(.string($0)) }))), message: "")
        ]
        let validator = try AttributeValidator(long)
        #expect(
            AttributeValue.string("valu 8").withBorrowed { validator.violations(of: $0) }.map(\.message) == [
                "\"valu 8\" is not one of \"value 8\", \"value 0\", \"value 1\", \"value 2\", \"value 3\", \"value 4\" "
                    + "and 3 more"
            ])
        long.validationRules[0].message = "choose a value"
        let named = try AttributeValidator(long)
        #expect(
            AttributeValue.string("x").withBorrowed { named.violations(of: $0) }.map(\.message) == ["choose a value"])
    }
}
