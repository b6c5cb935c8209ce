import Foundation
import GranaryBase
import Testing

@testable import GranaryModel
@testable import GranaryPredicates

/// Every kind of problem, with its code and its place.
@Suite struct ModelProblemsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout ManagedObjectModel) -> Void
        /// As a diagnostic prints it.
        let expected: [String]

        init(
            _ name: String, _ change: @escaping @Sendable (inout ManagedObjectModel) -> Void, _ expected: String...
        ) {
            testDescription = name
            self.change = change
            self.expected = expected
        }
    }

    /// A sound model that each case spoils: entity 0 is A, 1 is B, which inherits from A.
    static let sound = ManagedObjectModel(entities: [
        EntityDescription(
            "A", [.attribute("name", .string), .attribute("age", .integer16), .toOne("b", "B", inverse: "a")]),
        EntityDescription(
            "B", [.toOne("a", "A", inverse: "b"), .toMany("others", "B", inverse: nil)], superentity: "A"),
    ])

    @Test func aSoundModelHasNone() throws {
        #expect(Self.sound.problems().isEmpty)
        #expect(try Self.sound.resolved().entities.count == 2)
        #expect(ManagedObjectModel().problems().isEmpty)
    }

    @Test("A property that is inherited already is a warning; the inherited one counts")
    func redeclared() throws {
        var model = Self.sound
        model.entities[1].attributes = [
            AttributeDescription(name: "age", type: .date), AttributeDescription(name: "size", type: .integer16),
        ]
        model.entities[1].relationships.append(RelationshipDescription(name: "b", destination: "A"))
        #expect(model.problems().map(\.severity) == [.warning, .warning])
        #expect(model.problems().map(\.property) == ["age", "b"])
        let schema = try model.resolved()
        let entity = try #require(schema.entity(named: "B"))
        #expect(entity.attributes.map(\.name) == ["name", "age", "size"])
        #expect(entity.attribute(named: "age")?.type == .integer16 && entity.attribute(named: "age")?.owner == 0)
        #expect(entity.relationships.map(\.name) == ["b", "a", "others"])
        #expect(entity.relationship(named: "b")?.destination == 1 && entity.relationship(named: "b")?.inverse != nil)
        #expect(entity.slotCount == 6)
        #expect(schema.hasUnconfirmedHash(entity))
    }

    @Test("A redeclaration as another kind of property stays an error")
    func redeclaredAsAnotherKind() {
        var model = Self.sound
        model.entities[1].relationships.append(RelationshipDescription(name: "age", destination: "A"))
        model.entities[1].attributes.append(AttributeDescription(name: "b", type: .date))
        #expect(
            model.problems().map(\.description) == [
                "error: B.b: \"A\" declares \"b\" as a relationship, so it cannot be an attribute here "
                    + "[model.duplicate]",
                "error: B.age: \"A\" declares \"age\" as an attribute, so it cannot be a relationship here "
                    + "[model.duplicate]",
            ])
        #expect((try? model.resolved()) == nil)
    }

    @Test("A required to-many without a minimum count is a note: it may be empty")
    func requiredToMany() throws {
        var model = Self.sound
        model.entities[1].relationships[1].isOptional = false
        #expect(model.problems().map(\.severity) == [.note])
        model.entities[1].relationships[1].minCount = 1
        #expect(model.problems().isEmpty)
    }

    @Test(arguments: names + references + inverses + values + others)
    func isFoundWithItsPlace(_ test: Case) {
        var model = Self.sound
        test.change(&model)
        #expect(model.problems().map(\.description) == test.expected)
        let schema = try? model.resolved()
        #expect((schema == nil) == !test.expected.isEmpty)
    }

    private static let names = [
        Case(
            "empty entity name", { $0.entities.append(EntityDescription(name: "")) },
            "error: : an entity's name is empty [model.name]"),
        Case(
            "entity name with a space", { $0.entities.append(EntityDescription(name: "A B")) },
            "error: A B: \"A B\" is not an entity's name: letters, digits and _ only, no digit first [model.name]"),
        Case(
            "entity name twice", { $0.entities.append(EntityDescription(name: "A")) },
            "error: A: the entity name \"A\" occurs twice [model.duplicate]"),
        Case(
            "entity name in another case", { $0.entities.append(EntityDescription(name: "a")) },
            "error: a: the entity name \"a\" and \"A\" differ only in case [model.duplicate]"),
        Case("letters of any script", { $0.entities[0].attributes[0].name = "größe_1" }),
        Case("letters that are also numerals", { $0.entities[0].attributes[0].name = "一覧" }),
        Case("underscore first", { $0.entities[0].attributes[0].name = "_a" }),
        Case(
            "combining mark first", { $0.entities[0].attributes[0].name = "\u{301}a" },
            "error: A.\u{301}a: \"\u{301}a\" is not a property's name: letters, digits and _ only, no digit first "
                + "[model.name]"),
        Case(
            "digit first", { $0.entities[0].attributes[0].name = "1a" },
            "error: A.1a: \"1a\" is not a property's name: letters, digits and _ only, no digit first [model.name]"),
        Case(
            "hyphen", { $0.entities[0].attributes[0].name = "a-b" },
            "error: A.a-b: \"a-b\" is not a property's name: letters, digits and _ only, no digit first [model.name]"),
        Case(
            "quote", { $0.entities[0].attributes[0].name = "a\"" },
            "error: A.a\": \"a\"\" is not a property's name: letters, digits and _ only, no digit first [model.name]"),
        Case(
            "reserved: description", { $0.entities[0].attributes[0].name = "description" },
            "error: A.description: \"description\" is a managed object's own property; choose another name [model.name]"
        ),
        Case(
            "reserved: objectID", { $0.entities[0].relationships[0].name = "objectID" },
            "error: A.objectID: \"objectID\" is a managed object's own property; choose another name [model.name]",
            "error: A.objectID: its inverse \"B.a\" names \"b\" as its own inverse [model.inverse]",
            "error: B.a: its inverse \"b\" is no relationship of \"A\" [model.inverse]"),
        Case(
            "property name twice", { $0.entities[0].attributes[1].name = "name" },
            "error: A.name: the property name \"name\" occurs twice [model.duplicate]"),
        Case(
            "attribute and fetched property",
            {
                $0.entities[0].fetchedProperties = [
                    FetchedPropertyDescription(name: "age", fetchRequest: .init(name: "f", entityName: "B"))
                ]
            }, "error: A.age: the property name \"age\" occurs twice [model.duplicate]"),
    ]

    private static let references = [
        Case(
            "missing superentity", { $0.entities[1].superentityName = "Z" },
            "error: B: there is no entity \"Z\" to inherit from [model.reference]"),
        Case(
            "its own superentity", { $0.entities[0].superentityName = "A" },
            "error: A: the entity inherits from itself [model.inheritance]"),
        Case(
            "cycle of two", { $0.entities[0].superentityName = "B" },
            "error: A: the entity inherits from itself, by way of \"B\" [model.inheritance]",
            "error: B: the entity inherits from itself, by way of \"A\" [model.inheritance]"),
        Case(
            "missing destination", { $0.entities[1].relationships[1].destinationEntityName = "Z" },
            "error: B.others: there is no destination entity \"Z\" [model.reference]"),
        Case(
            "fetched property of nothing",
            {
                $0.entities[0].fetchedProperties = [
                    FetchedPropertyDescription(name: "f", fetchRequest: .init(name: "f", entityName: "Z"))
                ]
            }, "error: A.f: there is no entity \"Z\" to fetch [model.reference]"),
        Case(
            "constraint on nothing", { $0.entities[0].uniquenessConstraints = [["name"], ["z"]] },
            "error: A.z: a uniqueness constraint names \"z\", which is no property [model.reference]"),
        Case("constraint on an inherited property", { $0.entities[1].uniquenessConstraints = [["name", "a"]] }),
        Case(
            "constraint on a to-many", { $0.entities[1].uniquenessConstraints = [["others"]] },
            "error: B.others: a uniqueness constraint needs a stored attribute or to-one relationship [model.rule]"),
        Case(
            "constraint on a transient",
            {
                $0.entities[0].attributes[0].isTransient = true
                $0.entities[0].uniquenessConstraints = [["name"]]
            }, "error: A.name: a uniqueness constraint needs a stored attribute or to-one relationship [model.rule]"),
        Case(
            "empty constraint", { $0.entities[0].uniquenessConstraints = [[]] },
            "error: A: a uniqueness constraint names no property [model.rule]"),
        Case(
            "index on nothing",
            { $0.entities[0].fetchIndexes = [.init(name: "byZ", elements: [.init(propertyName: "z")])] },
            "error: A.z: the index \"byZ\" names \"z\", which is no property [model.reference]"),
        Case(
            "index twice",
            {
                let index = FetchIndexDescription(name: "byAge", elements: [.init(propertyName: "age")])
                $0.entities[0].fetchIndexes = [index, index]
            }, "error: A: the index name \"byAge\" occurs twice [model.duplicate]"),
        Case(
            "compound index on nothing", { $0.entities[0].compoundIndexes = [["age", "z"]] },
            "error: A.z: a compound index names \"z\", which is no property [model.reference]"),
        Case(
            "configuration of nothing",
            { $0.configurations = [ConfigurationDescription(name: "C", entityNames: ["A", "Z"])] },
            "error: the configuration \"C\" names \"Z\", which is no entity [model.reference]"),
        Case(
            "configuration twice",
            { $0.configurations = Array(repeating: .init(name: "C", entityNames: ["A"]), count: 2) },
            "error: the configuration \"C\" occurs twice [model.duplicate]"),
        Case(
            "fetch request of nothing", { $0.fetchRequestTemplates = [.init(name: "all", entityName: "Z")] },
            "error: the fetch request \"all\" is for \"Z\", which is no entity [model.reference]"),
        Case(
            "fetch request twice",
            { $0.fetchRequestTemplates = Array(repeating: .init(name: "all", entityName: "A"), count: 2) },
            "error: the fetch request \"all\" occurs twice [model.duplicate]"),
    ]

    private static let inverses = [
        Case(
            "missing inverse", { $0.entities[0].relationships[0].inverseName = "z" },
            "error: A.b: its inverse \"z\" is no relationship of \"B\" [model.inverse]",
            "error: B.a: its inverse \"A.b\" names \"z\" as its own inverse [model.inverse]"),
        Case(
            "an attribute as inverse", { $0.entities[1].relationships[0].inverseName = "age" },
            "error: A.b: its inverse \"B.a\" names \"age\" as its own inverse [model.inverse]",
            "error: B.a: its inverse \"age\" is no relationship of \"A\" [model.inverse]"),
        Case(
            "one-sided inverse", { $0.entities[1].relationships[0].inverseName = nil },
            "error: A.b: its inverse \"B.a\" has no inverse itself [model.inverse]"),
        Case(
            "inverse that leads elsewhere",
            {
                $0.entities.append(EntityDescription(name: "C"))
                $0.entities[1].relationships[0].destinationEntityName = "C"
            },
            "error: A.b: its inverse \"B.a\" leads to \"C\", not to \"A\" [model.inverse]",
            "error: B.a: its inverse \"b\" is no relationship of \"C\" [model.inverse]"),
        Case(
            "none at all",
            {
                $0.entities[0].relationships[0].inverseName = nil
                $0.entities[1].relationships[0].inverseName = nil
            }),
        Case(
            "count below nothing", { $0.entities[1].relationships[1].minCount = -1 },
            "error: B.others: the minimum count -1 is not between 0 and the maximum 0 [model.rule]"),
        Case(
            "minimum count above the maximum",
            {
                $0.entities[1].relationships[1].minCount = 4
                $0.entities[1].relationships[1].maxCount = 3
            }, "error: B.others: the minimum count 4 is not between 0 and the maximum 3 [model.rule]"),
        Case(
            "count past 32 bits", { $0.entities[1].relationships[1].maxCount = 1 << 40 },
            "error: B.others: a count is not a number of 32 bits [model.rule]"),
        Case("unbounded in code's own way", { $0.entities[1].relationships[1].maxCount = -1 }),
    ]
}

extension ModelProblemsTests {
    private static func attribute(
        _ type: AttributeType, _ options: AttributeOption...
    ) -> @Sendable (inout ManagedObjectModel) -> Void {
        { model in
            var attribute = AttributeDescription(name: "x", type: type)
            for option in options { option.apply(&attribute) }
            model.entities[0].attributes.append(attribute)
        }
    }

    private static let values = [
        Case(
            "stored and without type", attribute(.undefined),
            "error: A.x: an attribute without a type must be transient [model.type]"),
        Case("transient and without type", attribute(.undefined, .transient)),
        Case(
            "default of another type", attribute(.string, .defaultValue(5)),
            "error: A.x: the default is an integer, not a String [model.default]"),
        Case(
            "default past its width", attribute(.integer16, .defaultValue(40_000)),
            "error: A.x: the default is an integer, not an Integer 16 [model.default]"),
        Case(
            "default below the minimum", attribute(.integer16, .defaultValue(3), .minimum(4), .maximum(9)),
            "error: A.x: the default breaks a rule of the attribute: 3 is smaller than the minimum 4 [model.default]"),
        Case(
            "default above the maximum", attribute(.decimal, .defaultValue(1.5), .maximum(1.25)),
            "error: A.x: the default breaks a rule of the attribute: 1.5 is larger than the maximum 1.25 "
                + "[model.default]"),
        Case(
            "default too short", attribute(.string, .defaultValue(""), .length(1...5)),
            "error: A.x: the default breaks a rule of the attribute: the length 0 is less than the minimum 1 "
                + "(UTF-16 units) [model.default]"),
        Case(
            "default against the expression", attribute(.string, .defaultValue("b"), .pattern("a+")),
            "error: A.x: the default breaks a rule of the attribute: \"b\" does not match a+ [model.default]"),
        Case(
            "default against a rule",
            attribute(
                .string, .defaultValue("b"), .rule(.compare(.evaluatedObject, .notEqual, .constant("b")), "no b")),
            "error: A.x: the default breaks a rule of the attribute: no b [model.default]"),
        Case(
            "default that is not a number", attribute(.double, .defaultValue(.double(.nan))),
            "error: A.x: the default breaks a rule of the attribute: nan is not a finite number [model.default]"),
        Case("good defaults", attribute(.string, .defaultValue("ab"), .length(1...5), .pattern("[ab]+"))),
        Case(
            "bad expression", attribute(.string, .pattern("a(b"), .defaultValue("c")),
            "error: A.x: byte 2 of the regular expression: \"(\" is not closed [model.rule]"),
        Case(
            "bad expression in a rule",
            attribute(.string, .rule(.not(.compare(.evaluatedObject, .matches, .constant("a["))), "")),
            "error: A.x: byte 2 of the regular expression: \"[\" is not closed [model.rule]"),
        Case(
            "expression on a number", attribute(.integer16, .pattern("a")),
            "error: A.x: only a String can have a regular expression [model.rule]"),
        Case(
            "length of a number", attribute(.integer16, .length(1...2)),
            "error: A.x: only a String can have a length [model.rule]"),
        Case(
            "negative length", attribute(.string, .length(-2 ... -1)),
            "error: A.x: a length must not be negative [model.rule]"),
        Case(
            "lengths the wrong way round",
            {
                attribute(.string)(&$0)
                $0.entities[0].attributes[2].minimumLength = 3
                $0.entities[0].attributes[2].maximumLength = 2
            }, "error: A.x: the minimum length 3 is larger than the maximum 2 [model.rule]"),
        Case(
            "minimum of a text", attribute(.string, .minimum("a")), "error: A.x: a String has no minimum [model.rule]"),
        Case(
            "minimum of another type", attribute(.integer16, .minimum(0.5)),
            "error: A.x: the minimum is not an Integer 16 [model.rule]"),
        Case(
            "maximum past its width", attribute(.integer32, .maximum(.integer(.max))),
            "error: A.x: the maximum is not an Integer 32 [model.rule]"),
        Case(
            "minimum that is not a number", attribute(.decimal, .minimum(.decimal(.nan))),
            "error: A.x: the minimum is not a finite value [model.rule]"),
        Case(
            "bounds the wrong way round",
            attribute(
                .date, .minimum(.date(.init(timeIntervalSinceReferenceDate: 1))),
                .maximum(.date(.init(timeIntervalSinceReferenceDate: 0)))),
            "error: A.x: the minimum is larger than the maximum [model.rule]"),
        Case("equal bounds", attribute(.double, .minimum(0.5), .maximum(0.5))),
        Case(
            "rule too deep", attribute(.string, .rule(deepPredicate(65), "")),
            "error: A.x: a validation rule nests deeper than 64 [model.rule]"),
        Case("rule of 64 levels", attribute(.string, .rule(deepPredicate(64), ""))),
        Case(
            "list too deep", attribute(.string, .rule(.compare(.evaluatedObject, .isIn, deepList(64)), "")),
            "error: A.x: a validation rule nests deeper than 64 [model.rule]"),
    ]

    private static func deepPredicate(_ depth: Int) -> ObjectPredicate {
        (1..<depth).reduce(ObjectPredicate.constant(true)) { inner, _ in .not(inner) }
    }

    private static func deepList(_ depth: Int) -> ObjectExpression {
        (1..<depth).reduce(ObjectExpression.list([])) { inner, _ in .list([inner]) }
    }

    private static func composites(
        _ elements: [String: [String]]
    ) -> @Sendable (inout ManagedObjectModel) -> Void {
        { model in
            model.composites = elements.sorted { $0.key < $1.key }.map { name, nested in
                CompositeDescription(
                    name: name,
                    elements: nested.enumerated().map { index, other in
                        var element = AttributeDescription(
                            name: "e\(index)", type: other.isEmpty ? .double : .composite)
                        element.compositeName = other.isEmpty ? nil : other
                        return element
                    })
            }
        }
    }

    private static let others = [
        Case(
            "missing composite", attribute(.composite, .composite("Z")),
            "error: A.x: there is no composite \"Z\" [model.reference]"),
        Case("nested composites", composites(["C": ["D", ""], "D": [""]])),
        Case(
            "composite twice",
            { $0.composites = Array(repeating: CompositeDescription(name: "C", elements: []), count: 2) },
            "error: C: the composite name \"C\" occurs twice [model.duplicate]"),
        Case(
            "element twice",
            {
                composites(["C": ["", ""]])(&$0)
                $0.composites[0].elements[1].name = "e0"
            }, "error: C.e0: the element \"e0\" occurs twice [model.duplicate]"),
        Case(
            "element with a bad default",
            {
                composites(["C": [""]])(&$0)
                $0.composites[0].elements[0].defaultValue = "x"
            }, "error: C.e0: the default is a String, not a Double [model.default]"),
        Case(
            "composites in a circle", composites(["C": ["D"], "D": ["C"]]),
            "error: C: the composite contains itself, or nests deeper than 16 [model.inheritance]",
            "error: D: the composite contains itself, or nests deeper than 16 [model.inheritance]"),
        Case(
            "default of a composite",
            {
                composites(["C": [""]])(&$0)
                attribute(.composite, .composite("C"), .defaultValue(5))(&$0)
            }, "error: A.x: the default is an integer, not a Composite [model.default]"),
    ]

    @Test func allAreFoundAtOnce() throws {
        var model = Self.sound
        let all = Self.names.prefix(1) + Self.values.filter { !$0.expected.isEmpty }
        for test in all { test.change(&model) }
        for index in model.entities[0].attributes.indices.dropFirst(2) {
            model.entities[0].attributes[index].name = "x\(index)"
        }
        let error = try #require(throws: GranaryError.self) { try model.resolved() }
        #expect(error.code == .refused)
        // One case changes attribute 2, which another one added.
        #expect(error.diagnostics.count >= all.count - 1)
        #expect(error.message == "the model has \(error.diagnostics.count) problems")
        #expect(error.diagnostics == model.problems())
    }

    @Test func oneProblemIsOne() throws {
        let model = ManagedObjectModel(entities: [EntityDescription(name: "")])
        let error = try #require(throws: GranaryError.self) { try model.resolved() }
        #expect(error.message == "the model has one problem")
    }
}
