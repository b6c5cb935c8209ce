import GranaryBase
import GranaryModel
import Testing

/// The predicates that a model holds as text.
@Suite struct ModelPredicatesTests {
    private static func model(_ predicate: String?, derivation: String = "now()") -> ManagedObjectModel {
        var attribute = AttributeDescription(name: "at", type: .date)
        attribute.isOptional = true
        attribute.derivationExpression = derivation
        var index = FetchIndexDescription(name: "byAt", elements: [.init(propertyName: "at")])
        index.partialIndexPredicate = predicate
        var entity = EntityDescription(name: "Note")
        entity.attributes = [attribute]
        entity.fetchIndexes = [index]
        entity.fetchedProperties = [
            FetchedPropertyDescription(
                name: "others",
                fetchRequest: FetchRequestTemplate(name: "others", entityName: "Note", predicateFormat: predicate))
        ]
        var model = ManagedObjectModel(entities: [entity])
        model.fetchRequestTemplates = [
            FetchRequestTemplate(name: "all", entityName: "Note", predicateFormat: predicate)
        ]
        return model
    }

    @Test(arguments: [
        nil, "", "at > now()", "SUBQUERY(at, $x, $x.b == 1).@count > 0", "at == $FETCH_SOURCE.at", "at BETWEEN {1, 2}",
    ])
    func rightOnesAreNoProblem(_ text: String?) {
        #expect(Self.model(text).problems().isEmpty)
    }

    @Test func wrongOnesAreWarningsWithTheirPlace() {
        let problems = Self.model("at > )", derivation: "a..b").problems()
        #expect(problems.allSatisfy { $0.severity == .warning && $0.code == .modelSyntax })
        let column = "cannot be parsed: predicate, column 6: expected a value, found \")\""
        #expect(
            problems.map(\.message) == [
                "its derivation cannot be parsed: predicate, column 3: expected a key, found \".\"",
                "its predicate \(column)", "the predicate of the index \"byAt\" \(column)",
                "the predicate of the fetch request \"all\" \(column)",
            ])
        #expect(problems.map(\.entity) == ["Note", "Note", "Note", "Note"])
        #expect(problems.map(\.property) == ["at", "others", nil, nil])
        #expect(throws: Never.self) { try Self.model("at > )").resolved() }
    }

    @Test(
        "A number in a list for a text is a warning in a model only",
        arguments: [
            ("plate IN {9, 10}", 2), ("NOT plate IN {'9', 10}", 2), ("SUBQUERY(cars, $x, plate IN {9})[SIZE] > 0", 2),
            ("plate IN {'9', '10'}", 0), ("size IN {9, 10}", 0), ("plate IN $plates", 0), ("other IN {9}", 0),
        ] as [(String, Int)])
    func numbersForTexts(_ predicate: String, _ count: Int) {
        var model = ManagedObjectModel(entities: [
            EntityDescription("Vehicle", [.attribute("plate", .string)]),
            EntityDescription(
                "Car", [.attribute("size", .integer16), .fetched("cars", "Car", where: predicate)],
                superentity: "Vehicle"
            ),
        ])
        model.fetchRequestTemplates = [
            FetchRequestTemplate(name: "some", entityName: "Car", predicateFormat: predicate)
        ]
        let problems = model.problems()
        #expect(problems.count == count)
        #expect(problems.allSatisfy { $0.severity == .warning && $0.code == .modelRule && $0.entity == "Car" })
        #expect(problems.allSatisfy { $0.message.contains("compares the text plate with the number") })
    }
}
