import Foundation
import Granary
import GranaryTesting
import TestSupport
import Testing

private let coffeeModel = ManagedObjectModel(entities: [
    EntityDescription(
        "Coffee",
        [
            .attribute("name", .string, .required, .indexed),
            .attribute("brand", .string, .required, .indexed),
            .attribute("rating", .decimal),
        ])
])

private let coffees = Samples.url("Coffee/coffee.csv")

/// The examples of docs/swift.md, nearly word for word.
@Suite struct ReadmeTests {
    @Test func aModelInCodeAStoreAnObjectAnImportAndAnExport() async throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appending(path: "Coffee.sqlite")
        let container = try PersistentContainer(model: coffeeModel, store: .sqlite(store))
        try await container.perform { context in
            let coffee = try context.insert(into: "Coffee")
            try coffee.setValue("Sumatra", forKey: "name")
            try coffee.setValue("Harbour Roasters", forKey: "brand")
            try context.save()
        }
        let report = try await Importer(entity: "Coffee", from: .file(coffees)).run(into: container)
        #expect(report.created > 0 && report.ledger.hasPrefix("read \(report.created) = created \(report.created)"))
        let output = folder.url.appending(path: "coffee.json")
        try await Exporter().run(container, to: .file(output))
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: output)) as? [String: Any]
        let rows = (document?["entities"] as? [String: [[String: Any]]])?["Coffee"]
        #expect(rows?.count == report.created + 1)
        #expect(rows?.first?["name"] as? String == "Sumatra")
    }

    @Test(.seeded(model: coffeeModel, .file(coffees, entity: "Coffee")))
    func everyCoffeeHasAName() async throws {
        let names = try await SeededContainer.current.perform { context in
            try context.fetchAll("Coffee").map { try $0.string(forKey: "name") }
        }
        #expect(!names.isEmpty && names.allSatisfy { $0 != nil })
    }
}
