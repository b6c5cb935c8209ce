import Foundation
import Granary
import TestSupport
import Testing

/// What the description and the check of a store report about its model, its history and its damage.
@Suite("Differences and findings of stores") struct StoreDifferencesTests {
    private let folder: TemporaryFolder
    private let store: URL
    private let model = ManagedObjectModel(entities: [
        EntityDescription("Cup", [.attribute("name", .string), .attribute("picture", .binary, .externalStorage)]),
        EntityDescription("Mug", []),
    ])

    init() throws {
        folder = try TemporaryFolder()
        store = folder.url.appending(path: "Store.sqlite")
        var description = PersistentStoreDescription(.sqlite(store))
        description.tracksHistory = true
        let container = try PersistentContainer(name: "Test", model: model, descriptions: [description])
        try container.loadPersistentStores()
        let context = container.makeContext()
        for name in ["A", "B"] { try context.insert(into: "Cup").setValue(.string(name), forKey: "name") }
        try context.save()
    }

    @Test("Entities that only the store or only the model has")
    func entities() throws {
        let other = ManagedObjectModel(entities: [model.entities[0], EntityDescription("Jug", [])])
        let summary = try StoreSummary(contentsOf: store, model: other)
        #expect(summary.fits == false)
        let differences: [EntityDifference] = summary.differences
        let kinds = Dictionary(uniqueKeysWithValues: differences.map { ($0.entity, $0.what) })
        #expect(kinds == ["Mug": EntityDifference.Kind.onlyInStore, "Jug": .onlyInModel])
    }

    @Test("The history has counts and times")
    func history() throws {
        let summary = try StoreSummary(contentsOf: store)
        #expect(summary.model != .inferred && summary.model != StoreModelSource.given)
        let history = try #require(summary.history)
        #expect(history.transactions == 1 && history.changes == 2 && history.first != nil)
        #expect(history.first == history.last && history.authors.isEmpty)
        let external: StoreSummary.External = try #require(summary.external)
        #expect(external.columns == ["ZCUP.ZPICTURE"] && external.files == 0)
    }

    @Test("A finding has its table, its column and its form as JSON")
    func findings() throws {
        var strict = model
        strict.entities[0].attributes[0].minimumLength = 4
        let report = try StoreCheckReport(checking: store, model: strict)
        let finding: StoreFinding = try #require(report.findings.first)
        #expect(finding.table == "ZCUP" && finding.column == "ZNAME" && finding.diagnostic.code == .valueTooShort)
        let data = try JSONEncoder().encode(finding)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["table"] as? String == "ZCUP" && object["column"] as? String == "ZNAME")
        #expect(object["code"] as? String == "value.tooShort")
    }
}
