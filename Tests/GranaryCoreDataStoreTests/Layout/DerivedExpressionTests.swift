import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

/// Expressions that are computed, and expressions that give a warning instead.
@Suite("Derived attributes: expressions") struct DerivedExpressionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let expression: String
        let type: AttributeType
        let isComputed: Bool

        init(_ expression: String, _ type: AttributeType, _ isComputed: Bool) {
            self.expression = expression
            self.type = type
            self.isComputed = isComputed
        }

        var testDescription: String { "\"\(expression)\" as \(type.name)" }
    }

    static let values: [Case] = [
        Case("name", .string, true), Case(" name ", .string, true), Case("name", .integer32, false),
        Case("weight", .double, true), Case("price", .integer64, false), Case("missing", .string, false),
        Case("d", .string, false), Case("scratch", .string, false), Case("picture", .binary, false),
        Case("canonical:(name)", .string, true), Case("uppercase:( name )", .string, true),
        Case("lowercase:(name)", .uri, false), Case("canonical:(weight)", .string, false),
        Case("capitalized:(name)", .string, false), Case("canonical(name)", .string, false),
        Case("parent.name", .string, true), Case("canonical:(parent.name)", .string, true),
        Case("parent.parent.name", .string, false), Case("items.title", .string, false),
        Case("now()", .date, true), Case("now()", .string, false), Case("name ++ name", .string, false),
        Case("", .string, false), Case("()", .string, false), Case(")", .string, false), Case(":()", .string, false),
    ]

    static let aggregates: [Case] = [
        Case("items.@count", .integer16, true), Case("items.@count", .string, false),
        Case("count:(items)", .integer64, true), Case("items.title.@count", .integer64, false),
        Case("tags.@count", .integer64, true), Case("friends.@count", .integer64, true),
        Case("friends.weight.@sum", .integer64, true), Case("parent.@count", .integer64, false),
        Case("parent.items.@count", .integer64, false), Case("items..@count", .integer64, false),
        Case("@count", .integer64, false), Case("items.@size", .integer64, false),
        Case("items.amount.@sum", .integer64, true), Case("items.@sum.amount", .integer64, true),
        Case("sum:(items.amount)", .integer64, true), Case("items.price.@sum", .integer64, false),
        Case("items.price.@sum", .decimal, true), Case("items.title.@sum", .decimal, false),
        Case("items.title.@max", .string, true), Case("items.title.@min", .integer64, false),
        Case("items.amount.@avg", .integer64, false), Case("items.amount.@avg", .double, true),
        Case("average:(items.amount)", .double, true), Case("avg:(items.amount)", .double, false),
        Case("items.@sum.@max.amount", .integer64, false),
    ]

    @Test("Exactly the expressions that no trigger can compute give a warning", arguments: values + aggregates)
    func expressions(_ example: Case) throws {
        let schema = try Self.model(.attribute("d", example.type, .derived(example.expression))).resolved()
        let warnings = SQLiteStore.derivedAttributeWarnings(for: schema)
        #expect(warnings.compactMap(\.property) == (example.isComputed ? [] : ["d"]))
        #expect(warnings.allSatisfy { $0.severity == .warning && $0.entity == "Owner" })
    }

    private static func model(_ derived: PropertyDescription...) -> ManagedObjectModel {
        ManagedObjectModel(entities: [
            EntityDescription(
                "Owner",
                [
                    .attribute("name", .string), .attribute("weight", .integer32), .attribute("price", .decimal),
                    .attribute("scratch", .string, .transient), .attribute("picture", .binary, .externalStorage),
                    .toOne("parent", "Owner", inverse: nil), .toMany("items", "Item", inverse: "owner"),
                    .toMany("tags", "Item", inverse: "tagged"), .toMany("friends", "Owner", inverse: "friends"),
                ] + derived),
            EntityDescription(
                "Item",
                [
                    .attribute("title", .string), .attribute("amount", .integer32), .attribute("price", .decimal),
                    .toOne("owner", "Owner", inverse: "items"), .toMany("tagged", "Owner", inverse: "tags"),
                ]),
        ])
    }

    @Test("Chains of derived attributes are computed; cycles and long chains are not")
    func chains() throws {
        let circle = Self.model(
            .attribute("a", .string, .derived("b")), .attribute("b", .string, .derived("a")),
            .attribute("c", .string, .derived("b")), .attribute("up", .integer64, .derived("friends.up.@sum")),
            .attribute("e", .string, .derived("uppercase:(f)")), .attribute("f", .string, .derived("name")))
        let warnings = SQLiteStore.derivedAttributeWarnings(for: try circle.resolved())
        #expect(warnings.compactMap(\.property) == ["a", "b", "c", "up"])
        var long = ManagedObjectModel(entities: [EntityDescription("Long", [.attribute("a0", .string)])])
        for number in 1...40 {
            var attribute = AttributeDescription(name: "a\(number)", type: .string)
            attribute.isOptional = true
            attribute.derivationExpression = "a\(number - 1)"
            long.entities[0].attributes.append(attribute)
        }
        #expect(
            SQLiteStore.derivedAttributeWarnings(for: try long.resolved()).compactMap(\.property)
                == (33...40).map { "a\($0)" })
    }
}
