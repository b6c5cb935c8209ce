import Foundation
import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords
import Testing
@testable import GranaryExport
@testable import SeedingTestSupport

struct OmittedInverseTests {
    private static func model(required: [String]) -> ManagedObjectModel {
        func toOne(_ name: String, _ entity: String, _ inverse: String) -> PropertyDescription {
            required.contains(name)
                ? .toOne(name, entity, inverse: inverse, .required) : .toOne(name, entity, inverse: inverse)
        }
        return ManagedObjectModel(entities: [
            EntityDescription(
                "A", [toOne("b", "B", "a"), .toMany("cs", "C", inverse: "owner", .ordered), toOne("mate", "A", "mate")]
            ), EntityDescription("B", [toOne("a", "A", "b")]), EntityDescription("C", [toOne("owner", "A", "cs")]),
        ])
    }

    private func columns(_ entity: String, required: [String] = [], entities: [String] = []) throws -> [String] {
        var options = ExportOptions()
        options.omitsInverses = true
        options.entities = entities
        let plan = try ExportPlan(
            schema: Self.model(required: required).resolved(), options: options, identifiers: .always)
        return try #require(plan.tables.first { plan.schema.entities[$0.entity].name == entity }).names
    }

    @Test func oneSideOfEachRelationshipRemains() throws {
        #expect(try columns("A") == ["$id", "b", "cs", "mate"])
        #expect(try columns("B") == ["$id"])
        #expect(try columns("C") == ["$id"])
        // A required side remains.
        #expect(try columns("A", required: ["a"]) == ["$id", "cs", "mate"])
        #expect(try columns("B", required: ["a"]) == ["$id", "a"])
        #expect(try columns("A", required: ["a", "b"]) == ["$id", "b", "cs", "mate"])
        #expect(try columns("C", required: ["owner"]) == ["$id", "owner"])
        // Without the table at the other end, nothing is omitted.
        #expect(try columns("B", entities: ["B"]) == ["$id", "a"])
        #expect(try columns("C", entities: ["B", "C"]) == ["$id", "owner"])
    }

    @Test func theLinksComeBack() throws {
        let model = Self.model(required: [])
        let store = try ExportSamples.store(model)
        try ExportSamples.insert("A", 1, to: ["b": ("B", 1)], into: store)
        try ExportSamples.insert("B", 1, to: ["a": ("A", 1)], into: store)
        try ExportSamples.insert("C", 1, into: store)
        try ExportSamples.insert("C", 2, into: store)
        try ExportSamples.link("A", 1, "cs", to: [("C", 2), ("C", 1)], in: store)
        var options = ExportOptions()
        options.omitsInverses = true
        let run = try TestImport.json(try ExportSamples.json(store, options, shape: .document), nil, model)
        #expect(run.problems == [], "\(run.messages)")
        #expect(try ExportSamples.json(run.store, shape: .document) == ExportSamples.json(store, shape: .document))
    }
}
