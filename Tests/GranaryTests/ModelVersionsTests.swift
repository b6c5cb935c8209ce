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

    private static let mistakes: [(change: @Sendable (inout ManagedObjectModel) -> Void, code: Diagnostic.Code)] = [
        ({ $0.entities[0].attributes[1].name = "1st" }, .modelName),
        ({ $0.entities[1].name = "book" }, .modelDuplicate),
        ({ $0.entities[0].superentityName = "Item" }, .modelReference),
        ({ $0.entities[1].relationships[0].inverseName = nil }, .modelInverse),
        ({ $0.entities[0].superentityName = "Book" }, .modelInheritance),
        ({ $0.entities[0].attributes[1].defaultValue = "three" }, .modelDefault),
        ({ $0.entities[0].uniquenessConstraints = [["pages"]] }, .modelRule),
        ({ $0.entities[0].attributes[1].type = .undefined }, .modelType),
    ]

    @Test("Each mistake in a model has its code", arguments: mistakes.indices)
    func codesOfProblems(index: Int) throws {
        var model = Self.base
        Self.mistakes[index].change(&model)
        let problems = model.problems()
        #expect(problems.contains { $0.code == Self.mistakes[index].code && $0.severity == .error }, "\(problems)")
        let error = #expect(throws: GranaryError.self) { try PersistentContainer(model: model, store: .inMemory) }
        #expect(error?.code == .refused && error?.diagnostics == problems)
    }

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

    @Test("Changes that Core Data can migrate by itself")
    func lightweight() throws {
        var next = Self.base
        next.entities[0].attributes.append(AttributeDescription(name: "subtitle", type: .string))
        next.entities[0].attributes[2].isOptional = true
        next.entities[0].uniquenessConstraints = [["title"]]
        let differences: ModelDifferences = Self.base.differences(to: next)
        #expect(differences.isLightweight && !differences.isEqual && differences.hashesAreEqual == false)
        #expect(differences.entitiesWithOtherHashes == ["Book"])
        #expect(differences.changes.map(\.subject) == [.attribute, .uniquenessConstraint])
        let change = try #require(differences.changes.first)
        #expect(change.entity == "Book" && change.property == "subtitle" && change.what == "added")
        #expect(change.migration == .lightweight(warning: nil) && change.migration.reason == nil)
        #expect(Self.base.differences(to: Self.base).isEqual)
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

    @Test("Changes that need no migration")
    func withoutMigration() throws {
        var next = Self.base
        next.entities[0].attributes[1].defaultValue = 3
        next.entities[0].fetchedProperties = [
            FetchedPropertyDescription(
                name: "others", fetchRequest: FetchRequestTemplate(name: "others", entityName: "Book"))
        ]
        next.fetchRequestTemplates = [FetchRequestTemplate(name: "all", entityName: "Book")]
        next.entities[0].fetchIndexes = [
            FetchIndexDescription(name: "byTitle", elements: [FetchIndexDescription.Element(propertyName: "title")])
        ]
        next.versionIdentifiers = ["2"]
        next.composites = [
            CompositeDescription(name: "Size", elements: [AttributeDescription(name: "width", type: .float)])
        ]
        let differences = Self.base.differences(to: next)
        #expect(differences.hashesAreEqual == true && differences.isLightweight)
        let subjects: Set<ModelDifference.Subject> = [
            .model, .attribute, .index, .fetchedProperty, .fetchRequest, .composite,
        ]
        #expect(Set(differences.changes.map(\.subject)) == subjects)
        #expect(differences.changes.first { $0.subject == .attribute }?.migration == ModelDifference.Migration.none)
        #expect(differences.changes.contains { $0.migration == .granaryOnly })
    }
}
