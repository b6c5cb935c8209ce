import Foundation
import GranaryComparison
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranaryPredicates
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryExport
@testable import SeedingTestSupport

/// Nested objects that refer to each other, and long paths of relationships.
struct NestedPathTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func options(_ nested: [String]) -> ExportOptions {
        var options = ExportOptions()
        options.entities = ["Plan"]
        options.nested = nested
        return options
    }

    private static let plans = ManagedObjectModel(entities: [
        EntityDescription(
            "Plan", [.attribute("name", .string), .toMany("steps", "Step", inverse: "plan", .ordered)]),
        EntityDescription(
            "Step",
            [
                .attribute("name", .string), .toOne("plan", "Plan", inverse: "steps"),
                .toOne("next", "Step", inverse: nil),
            ]),
    ])

    /// The first step of the list refers to the last one.
    private func store() throws -> SQLiteStore {
        let path = folder.url.appending(path: "Plans.sqlite").path
        let store = try SQLiteStore.create(path: path, schema: try Self.plans.resolved())
        try ExportSamples.insert("Plan", 1, ["name": "P"], into: store)
        for key in 1...3 as ClosedRange<Int64> {
            let next: [String: (String, Int64)] = key == 3 ? ["next": ("Step", 2)] : [:]
            try ExportSamples.insert(
                "Step", key, ["name": .string("s\(key)")],
                to: ["plan": ("Plan", 1)].merging(next) { first, _ in first }, into: store)
        }
        try ExportSamples.link("Plan", 1, "steps", to: [("Step", 3), ("Step", 1), ("Step", 2)], in: store)
        return store
    }

    @Test func `An object of an ordered list is not inside another one of the list`() throws {
        let source = try store()
        let text = try ExportSamples.json(source, Self.options(["steps.next"]))
        #expect(
            text == """
                [
                {"$id":"Plan/p1","name":"P","steps":[{"$id":"Step/p3","name":"s3","next":"Step/p2"},\
                {"$id":"Step/p1","name":"s1","next":null},{"$id":"Step/p2","name":"s2","next":null}]}
                ]

                """)
        let again = try ExportSamples.store(Self.plans)
        let run = try TestImport.of([TestImport.reader(json: text)], "Plan", again)
        #expect(!run.report.isRefused, "\(run.messages)")
        let difference = try DiffRun.of(source, again, keys: ["Plan": ["name"], "Step": ["name"]])
        #expect(difference.summary.isEqual, "\(difference.lines)")
    }

    /// With a table for each combination of subentities, there would be 4^32 tables.
    @Test func `The longest path through subentities makes one table for each step`() throws {
        let kinds = ["Fast", "Slow", "Late"].map {
            EntityDescription($0, [.attribute("n\($0)", .string)], superentity: "Plan")
        }
        let model = ManagedObjectModel(
            entities: [
                EntityDescription(
                    "Plan",
                    [
                        .attribute("name", .string), .toMany("parts", "Plan", inverse: "whole"),
                        .toOne("whole", "Plan", inverse: "parts"),
                    ])
            ] + kinds)
        let schema = try model.resolved()
        let path = Array(repeating: "parts", count: Nesting.maximumDepth).joined(separator: ".")
        var options = Self.options([path])
        options.combinesSubentities = true
        let plan = try ExportPlan(schema: schema, options: options, identifiers: .always)
        #expect(plan.tables.flatMap(\.nestedTables).count == Nesting.maximumDepth)
        let store = try SQLiteStore.create(path: folder.url.appending(path: "Parts.sqlite").path, schema: schema)
        for (key, kind) in [(1, "Plan"), (2, "Fast"), (3, "Slow"), (4, "Plan")] {
            let whole: [String: (String, Int64)] =
                key == 1 ? [:] : ["whole": (key == 3 ? "Fast" : "Plan", key == 3 ? 2 : 1)]
            try ExportSamples.insert(kind, Int64(key), ["name": .string("\(key)")], to: whole, into: store)
        }
        let text = try ExportSamples.json(store, options)
        for key in 1...4 { #expect(text.components(separatedBy: "/p\(key)\"").count == 2, "\(text)") }
    }
}
