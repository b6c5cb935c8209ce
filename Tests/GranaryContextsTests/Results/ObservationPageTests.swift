import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import Testing

/// The code of docs/observation.md.
@Suite("The page about observation") struct ObservationPageTests {
    private func container() async throws -> PersistentContainer {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Coffee", [.attribute("name", .string), .attribute("brand", .string), .attribute("rating", .integer64)])
        ])
        let container = try PersistentContainer(model: model, store: .inMemory)
        try await container.perform { context in
            for (name, brand) in [("Sumatra", "Harbour"), ("Yirgacheffe", "Alto")] {
                let coffee = try context.insert(into: "Coffee")
                try coffee.setValue(.string(name), forKey: "name")
                try coffee.setValue(.string(brand), forKey: "brand")
                try coffee.setValue(4, forKey: "rating")
            }
            try context.save()
        }
        return container
    }

    @Test func results() async throws {
        let context = try await container().makeContext()
        var request = FetchRequest("Coffee", where: try ObjectPredicate("rating > %@", 2))
        request.sortDescriptors = [ObjectSortDescriptor("brand"), ObjectSortDescriptor("name")]
        let results = try context.results(of: request, sectionedBy: "brand")
        results.didChangeContent = { change in
            for section in change.sectionChanges { print(section.kind, "section", section.name) }
            for object in change.objectChanges { print(object.kind, object.element?["name"] as Any) }
        }
        print(results.fetchedObjects.count, results.sections.map(\.name), results.sectionIndexTitles)
        #expect(results.sections.map(\.name) == ["Alto", "Harbour"])
    }

    @Test func updates() async throws {
        let container = try await container()
        let task = Task {
            var request = FetchRequest("Coffee")
            request.sortDescriptors = [ObjectSortDescriptor("name")]
            let updates = container.updates(of: request) { coffee in
                try coffee.string(forKey: "name") ?? ""
            }
            var list: [ResultsSection<String>] = []
            for try await update in updates {
                try update.apply(to: &list)
                print(list.flatMap(\.objects))
            }
        }
        task.cancel()
        try await task.value
    }

    @Test("The page has this code") func page() throws {
        let source = URL(filePath: #filePath)
        let root = (0..<4).reduce(source) { url, _ in url.deletingLastPathComponent() }
        let page = try String(contentsOf: root.appending(path: "docs/observation.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().map { part in
            part.components(separatedBy: "```")[0]
        }
        #expect(blocks.count == 2)
        let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        for block in blocks {
            let wanted = block.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            let isThere = lines.contains(wanted.joined(separator: "\n"))
            #expect(isThere, "\(block)")
        }
    }
}
