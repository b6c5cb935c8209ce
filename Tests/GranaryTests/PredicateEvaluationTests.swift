import Foundation
import Granary
import Testing

/// Predicates and expressions that an app evaluates itself: on objects, dictionaries, lists and values.
@Suite("Evaluating predicates") struct PredicateEvaluationTests {
    private let context: ManagedObjectContext
    private let team: ManagedObject
    private let people: [ManagedObject]

    init() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Team", [.attribute("name", .string), .toMany("members", "Person", inverse: "team")]),
            EntityDescription(
                "Person",
                [
                    .attribute("name", .string), .attribute("age", .integer16), .attribute("born", .date),
                    .toOne("team", "Team", inverse: "members"),
                ]),
        ])
        context = try PersistentContainer(model: model, store: .inMemory).makeContext()
        team = try context.insert(into: "Team")
        try team.setValue("Red", forKey: "name")
        var people: [ManagedObject] = []
        for (name, age) in [("Ann", 30), ("Bob", 17), ("Cid", 40)] as [(String, Int64)] {
            let person = try context.insert(into: "Person")
            try person.setValue(.string(name), forKey: "name")
            try person.setValue(.integer(age), forKey: "age")
            try person.setValue(.date(Date(timeIntervalSinceReferenceDate: 0)), forKey: "born")
            try person.setObject(team, forKey: "team")
            people.append(person)
        }
        self.people = people
    }

    @Test(
        "An object is tested with its unsaved values, and constants are converted as in a fetch",
        arguments: [
            ("age >= 18", "Ann Cid"), ("team.name == 'Red' AND name BEGINSWITH 'A'", "Ann"),
            ("team.members.@count == 3", "Ann Bob Cid"),
            ("born == '2001-01-01'", "Ann Bob Cid"), ("name IN {'Bob', 7}", "Bob"),
            ("SUBQUERY(team.members, $x, $x.age > age).@count == 0", "Cid"), ("FALSEPREDICATE", ""),
        ])
    func objects(_ text: String, _ names: String) throws {
        let found = try ObjectPredicate(text).filter(people)
        #expect(found.compactMap { $0["name"] } == names.split(separator: " ").map { .string(String($0)) })
        #expect(try people.filter { try ObjectPredicate(text).evaluate(with: $0) } == found)
    }

    private static let day = Date(timeIntervalSinceReferenceDate: 86_400)

    @Test("Dictionaries, lists and values")
    func values() throws {
        let ann: [String: Any] = [
            "name": "Ann", "age": 30, "day": Self.day, "address": ["city": "Bonn", "tags": ["a", "b"]],
            "empty": Optional<Int>.none as Any, "null": NSNull(), "children": [["age": 3], ["age": 5]],
        ]
        let cases: [(String, Any?, Bool)] = [
            ("name == 'Ann' AND age > 18", ann, true), ("address.city == 'Bonn'", ann, true),
            ("empty == nil AND null == nil", ann, true),
            ("missing == nil", ann, true), ("ANY children.age > 4", ann, true), ("ALL children.age > 4", ann, false),
            ("children.@max.age == 5", ann, true), ("'b' IN address.tags", ann, true),
            ("address.tags[SIZE] == 2", ann, true),
            ("day > CAST('2001-01-01', 'NSDate')", ann, true), ("age == '30'", ann, false),
            ("name.length == 3", ann, true),
            ("SELF > 3", 4, true), ("SELF == nil", nil, true), ("SELF BEGINSWITH 'a'", "abc", true),
            ("length == 3", "abc", true),
            ("SELF.@count == 2", [1, 2], true), ("SELF.@sum.age == 8", [["age": 3], ["age": 5]], true),
            ("ANY SELF == 2", Set([1, 2]), true), ("SELF == TRUE", true, true),
            ("SELF == 0.5", Decimal(string: "0.5"), true),
            ("n == 1", ["n": AttributeValue.integer(1)] as [String: AttributeValue?], true),
            ("ANY name == 'Bob'", people, true), ("leader.age == 30", ["leader": people[0]], true),
        ]
        for (text, value, expected) in cases {
            #expect(try ObjectPredicate(text).evaluate(with: value) == expected, "\(text)")
        }
        let rows: [[String: AttributeValue]] = [["n": 1], ["n": 2], ["n": 3]]
        #expect(try ObjectPredicate("n > 1").filter(rows) == [["n": 2], ["n": 3]])
        #expect(try ObjectPredicate("SELF > $least").filter([1, 2, 3], substitutionVariables: ["least": 2]) == [3])
        #expect(try ObjectPredicate("team == $team").filter(people, substitutionVariables: ["team": team]).count == 3)
    }

    @Test("What cannot be evaluated is an error with the reason")
    func errors() throws {
        struct Opaque {}
        var deep: Any = 1
        for _ in 0..<100 { deep = [deep] }
        let cases: [(String, Any?, String)] = [
            ("SELF == $x", 1, "variable without a value"), ("SELF == 1", Opaque(), "type Opaque"),
            ("SELF == 1", [Opaque()], "type Opaque"),
            ("SELF == 1", deep, "nested deeper"),
            ("nmae == 1", people[0], "no property \"nmae\""), ("name > 3", people[0], "cannot be compared"),
            ("SELF MATCHES '('", "a", "not a regular expression"), ("SELF ==[w] 'a'", "a", "option [w]"),
        ]
        for (text, value, message) in cases {
            let predicate = try ObjectPredicate(text)
            let error = #expect(throws: GranaryError.self, "\(text)") { try predicate.evaluate(with: value) }
            #expect(error?.code == .usage && error?.message.contains(message) == true, "\(error?.message ?? "")")
        }
    }

    @Test(
        "Expressions have values, and conditions are expressions",
        arguments: [
            ("1 + 2", 3), ("1 + 2 > 2", true), ("1 + 2 > 3", false), ("1 > 2 OR NOT 2 > 3", true), ("(1 < 2)", true),
            ("uppercase('a')", "A"),
            ("nil", nil), ("TERNARY(1 > 2, 3, 4)", 4), ("TRUEPREDICATE", true),
        ] as [(String, AttributeValue?)])
    func expressions(_ text: String, _ value: AttributeValue?) throws {
        #expect(try ObjectExpression(text).value(with: nil)?.attributeValue == value)
    }

    @Test("Expressions on objects and lists")
    func expressionsOnObjects() throws {
        #expect(try ObjectExpression("members.@count").value(with: team) == .value(3))
        #expect(try ObjectExpression("age * %@", 2).value(with: people[0])?.attributeValue == 60)
        #expect(try ObjectExpression("age >= 18").value(with: people[1])?.attributeValue == false)
        #expect(try ObjectExpression("team").value(with: people[0]) == .object(team.objectID.predicateReference))
        #expect(
            try ObjectExpression("n").value(with: [["n": 1], ["n": nil]] as [[String: Int?]])
                == .list([.value(1), nil]))
        #expect(try ObjectExpression("$a + 1").value(with: nil, substitutionVariables: ["a": 2])?.attributeValue == 3)
        #expect(throws: GranaryError.self) { try ObjectExpression("SELF").value(with: ["a": 1]) }
        #expect(try ObjectExpression("1 + 2 > 2").description == "TERNARY(1 + 2 > 2, 1, 0)")
        #expect(try ObjectExpression("1 + 2 > 2") == ObjectExpression(format: "1 + 2 > 2"))
    }
}
