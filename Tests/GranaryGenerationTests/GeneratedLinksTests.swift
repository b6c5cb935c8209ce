import GranaryBase
import GranaryCoreDataStore
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Relationships of every kind, and counts that cannot be satisfied.
@Suite struct GeneratedLinksTests {
    private static let name = PropertyDescription.attribute("name", .string)

    private static func model(_ a: PropertyDescription?, _ b: PropertyDescription?) -> ManagedObjectModel {
        ManagedObjectModel(entities: [
            EntityDescription("A", [name, a].compactMap { $0 }), EntityDescription("B", [name, b].compactMap { $0 }),
        ])
    }

    @Test("Counts, inverses and required relationships hold")
    func counts() throws {
        let cases: [(String, ManagedObjectModel, [String: Int])] = [
            (
                "one to many with counts",
                Self.model(
                    .toOne("b", "B", inverse: "a", .required), .toMany("a", "A", inverse: "b", .required, .count(3, 9))),
                ["A": 30, "B": 6]
            ),
            (
                "ordered", Self.model(.toOne("b", "B", inverse: "a"), .toMany("a", "A", inverse: "b", .ordered)),
                ["A": 30, "B": 3]
            ),
            (
                "one to one", Self.model(.toOne("b", "B", inverse: "a", .required), .toOne("a", "A", inverse: "b")),
                ["A": 7, "B": 12]
            ),
            (
                "many to many",
                Self.model(
                    .toMany("b", "B", inverse: "a", .required, .count(2, 4)),
                    .toMany("a", "A", inverse: "b", .required, .count(1, 9))), ["A": 10, "B": 14]
            ),
            (
                "both ordered",
                Self.model(.toMany("b", "B", inverse: "a", .ordered), .toMany("a", "A", inverse: "b", .ordered)),
                ["A": 8, "B": 5]
            ),
            (
                "list without an inverse", Self.model(.toMany("b", "B", inverse: nil, .required, .count(2, 3)), nil),
                ["A": 4, "B": 11]
            ),
            ("partners", Self.model(.toOne("a", "A", inverse: "a", .required), nil), ["A": 12]),
            ("friends", Self.model(.toMany("a", "A", inverse: "a", .required, .count(3, 4)), nil), ["A": 9]),
            ("tree", Self.treeModel(isRequired: false), ["Node": 40]),
            ("circle", Self.treeModel(isRequired: true), ["Node": 12]),
            ("alone", Self.treeModel(isRequired: true), ["Node": 1]),
        ]
        for (name, model, counts) in cases {
            let generated = try Generated.of(model, counts)
            #expect(try generated.findings == [], "\(name)")
            let links = try generated.store.schema.entities.flatMap { entity in
                try entity.relationships.flatMap { try generated.degrees(entity.name, $0.name) }
            }
            #expect(links.contains { $0 > 0 }, "\(name)")
        }
    }

    private static func treeModel(isRequired: Bool) -> ManagedObjectModel {
        let parent: PropertyDescription =
            isRequired
            ? .toOne("parent", "Node", inverse: "children", .required) : .toOne("parent", "Node", inverse: "children")
        return ManagedObjectModel(entities: [
            EntityDescription("Node", [parent, .toMany("children", "Node", inverse: "parent")])
        ])
    }

    @Test("Contradicting counts are refused with the largest count")
    func refusals() throws {
        let required = Self.model(.toOne("b", "B", inverse: nil, .required), nil)
        let manyToOne = Self.model(
            .toOne("b", "B", inverse: "a", .required), .toMany("a", "A", inverse: "b", .count(0, 5)))
        let oneToOne = Self.model(
            .toOne("b", "B", inverse: "a", .required), .toOne("a", "A", inverse: "b", .required))
        let needing = Self.model(
            .toOne("b", "B", inverse: "a"), .toMany("a", "A", inverse: "b", .required, .count(4, 0)))
        let cases: [(ManagedObjectModel, [String: Int], String, String)] = [
            (required, ["A": 5], "A.b", "there are 0 to link to. The largest count is 0"),
            (manyToOne, ["A": 11, "B": 2], "A.b", "The largest count is 10"),
            (oneToOne, ["A": 4, "B": 3], "A.b", "the cycle A.b → B.a"),
            (oneToOne, ["A": 3, "B": 4], "B.a", "The largest count is 3"),
            (needing, ["A": 7, "B": 2], "B.a", "The largest count is 1"),
            (
                Self.model(.toOne("a", "A", inverse: "a", .required), nil), ["A": 5], "A.a", "The largest count is 4"
            ),
            (
                Self.model(.toMany("a", "A", inverse: "a", .required, .count(6, 0)), nil), ["A": 5], "A.a",
                "needs 6 others"
            ),
        ]
        for (model, counts, place, message) in cases {
            let problems = try Generated.problems(model, counts)
            #expect(problems.map { "\($0.entity ?? "").\($0.property ?? "")" } == [place], "\(problems)")
            #expect(problems.first?.message.contains(message) ?? false, "\(problems)")
        }
    }

    @Test("A constraint with a relationship: different numbers in each team, different pairs")
    func uniquePairs() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Team", [.toMany("players", "Player", inverse: "team")]),
            EntityDescription(
                "Player",
                [
                    .attribute("number", .integer16, .required, .minimum(1), .maximum(11)),
                    .toOne("team", "Team", inverse: "players", .required),
                ], unique: [["team", "number"]]),
            EntityDescription("Student", []), EntityDescription("Course", []),
            EntityDescription(
                "Enrolment",
                [
                    .toOne("student", "Student", inverse: nil, .required),
                    .toOne("course", "Course", inverse: nil, .required),
                ],
                unique: [["student", "course"]]),
        ])
        let generated = try Generated.of(
            model, ["Team": 5, "Player": 55, "Student": 6, "Course": 4, "Enrolment": 24])
        #expect(try generated.findings == [])
        #expect(try generated.degrees("Team", "players") == [11, 11, 11, 11, 11])
        let problems = try Generated.problems(model, ["Student": 6, "Course": 4, "Enrolment": 25])
        #expect(problems.first?.message.contains("The largest count is 24") ?? false, "\(problems)")
    }
}
