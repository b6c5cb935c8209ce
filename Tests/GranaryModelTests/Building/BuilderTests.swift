import Foundation
import Testing

@testable import GranaryModel
@testable import GranaryPredicates

@Suite struct BuilderTests {
    @Test func coffeeReadsAsInTheDocumentation() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Coffee",
                [
                    .attribute("name", .string, .required, .indexed),
                    .attribute("brand", .string, .required, .indexed),
                    .attribute("rating", .decimal),
                ])
        ])
        #expect(model.problems().isEmpty)
        let coffee = try #require(try model.resolved().entity(named: "Coffee"))
        #expect(coffee.attributes.map(\.name) == ["name", "brand", "rating"])
        #expect(coffee.attributes.map(\.type) == [.string, .string, .decimal])
        #expect(coffee.attributes.map(\.description.isOptional) == [false, false, true])
        #expect(coffee.attributes.map(\.description.isIndexed) == [true, true, false])
    }

    @Test(
        arguments: [
            (.integer32, 5, .integer(5)),
            (.decimal, 5, .decimal(5)),
            (.double, 5, .double(5)),
            (.float, 5, .float(5)),
            (.double, 0.1, .double(0.1)),
            (.float, 0.1, .float(0.1)),
            (.decimal, 0.1, .decimal(Decimal(string: "0.1") ?? 0)),
            (.decimal, -12.75, .decimal(Decimal(string: "-12.75") ?? 0)),
            (.string, "x", .string("x")),
            (.boolean, true, .boolean(true)),
            (.uuid, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", .uuid(UUID(uuid: uuid))),
            // What does not fit stays, for the model check to see.
            (.integer16, 0.5, .double(0.5)),
            (.uuid, "no UUID", .string("no UUID")),
            (.string, 5, .integer(5)),
        ] as [(AttributeType, AttributeValue, AttributeValue)])
    func literalsTakeTheAttributesType(_ type: AttributeType, _ literal: AttributeValue, _ expected: AttributeValue) {
        let entity = EntityDescription(
            "E", [.attribute("a", type, .defaultValue(literal), .minimum(literal), .maximum(literal))])
        #expect(entity.attributes[0].defaultValue == expected)
        #expect(entity.attributes[0].minimumValue == expected)
        #expect(entity.attributes[0].maximumValue == expected)
    }

    private static let uuid: uuid_t = (
        0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E, 0x6E, 0x5F
    )

    @Test func uriLiteralIsAURI() {
        let entity = EntityDescription("E", [.attribute("a", .uri, .defaultValue("https://example.com/a?b"))])
        #expect(entity.attributes[0].defaultValue?.fits(.uri) == true)
    }

    @Test func attributeOptionsSetTheirFields() {
        let rule = ObjectPredicate.compare(.evaluatedObject, .notEqual, .constant("x"))
        let entity = EntityDescription(
            "E",
            [
                .attribute(
                    "a", .string, .required, .indexed, .transient, .length(2...5), .pattern("a+"), .rule(rule, "no x"),
                    .renamed(from: "old")),
                .attribute("b", .binary, .externalStorage),
                .attribute("c", .transformable, .transformer("T", valueClass: "V")),
                .attribute("d", .composite, .composite("C")),
                .attribute("e", .integer64, .derived("pages.@count")),
            ])
        var expected = AttributeDescription(name: "a", type: .string)
        expected.isIndexed = true
        expected.isTransient = true
        expected.minimumLength = 2
        expected.maximumLength = 5
        expected.regularExpression = "a+"
        expected.validationRules = [ValidationRule(predicate: rule, message: "no x")]
        expected.renamingIdentifier = "old"
        #expect(entity.attributes[0] == expected)
        #expect(entity.attributes[1].allowsExternalBinaryDataStorage)
        #expect(entity.attributes[2].valueTransformerName == "T" && entity.attributes[2].valueClassName == "V")
        #expect(entity.attributes[3].compositeName == "C")
        #expect(entity.attributes[4].derivationExpression == "pages.@count")
    }

    @Test func relationshipsAreToOneOrToMany() {
        let entity = EntityDescription(
            "E",
            [
                .toOne("a", "F", inverse: "b", .required, .deleteRule(.cascade)),
                .toMany("c", "F", inverse: nil, .ordered, .count(1, 9), .transient),
                .toMany("d", "F", inverse: nil),
                .fetched("f", "F", where: "x == 1"),
            ])
        let (one, many, plain) = (entity.relationships[0], entity.relationships[1], entity.relationships[2])
        #expect(!one.isToMany && !one.isOptional && one.inverseName == "b" && one.deleteRule == .cascade)
        #expect(many.isToMany && many.isOptional && many.isOrdered && many.isTransient)
        #expect(many.minCount == 1 && many.maxCount == 9 && many.deleteRule == .nullify)
        #expect(plain.isToMany && plain.minCount == 0 && plain.maxCount == 0)
        #expect(entity.fetchedProperties[0].fetchRequest.predicateFormat == "x == 1")
    }

    @Test func entityOptionsSetTheirFields() {
        let entity = EntityDescription("E", [], superentity: "P", isAbstract: true, unique: [["a", "b"]])
        #expect(entity.superentityName == "P" && entity.isAbstract && entity.uniquenessConstraints == [["a", "b"]])
    }
}
