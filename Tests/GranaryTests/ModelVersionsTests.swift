import Foundation
import Granary
import Testing

/// Problems of models, merging them, and the differences between two versions.
@Suite("Model versions") struct ModelVersionsTests {
    private static let base = ManagedObjectModel(entities: [
        EntityDescription(
            "Book",
            [
                .attribute("title", .string, .required), .attribute("rating", .integer16),
                .toMany("pages", "Page", inverse: "book"),
            ]),
        EntityDescription("Page", [.attribute("number", .integer32), .toOne("book", "Book", inverse: "pages")]),
    ])

    @Test("Models with different entities are merged; different definitions are a conflict")
    func merging() throws {
        let shelf = EntityDescription("Shelf", [.attribute("name", .string)])
        let merged = try ManagedObjectModel(merging: [Self.base, ManagedObjectModel(entities: [shelf])])
        #expect(merged.entities.map(\.name) == ["Book", "Page", "Shelf"])
        let other = ManagedObjectModel(entities: [EntityDescription("Shelf", [.attribute("name", .uri)])])
        let error = #expect(throws: GranaryError.self) { try ManagedObjectModel(merging: [merged, other]) }
        #expect(error?.diagnostics.map(\.code) == [.modelConflict])
        #expect(error?.diagnostics.first?.entity == "Shelf")
    }

    @Test("Changes that need a mapping model, with the reason")
    func needsMapping() throws {
        var next = Self.base
        next.entities[0].attributes[1].type = .string
        next.entities[0].relationships[0].maxCount = 1
        let differences = Self.base.differences(to: next)
        #expect(!differences.isLightweight)
        #expect(Set(differences.changes.map(\.subject)) == [.attribute, .relationship])
        let change = try #require(differences.changes.first { $0.property == "rating" })
        #expect(change.what == "type" && change.from == "Integer 16" && change.to == "String")
        #expect(change.migration.name == "needsMapping" && change.migration.reason != nil)
        guard case .needsMapping(let reason) = change.migration else {
            Issue.record("\(change)")
            return
        }
        #expect(reason == change.migration.reason)
    }
}
