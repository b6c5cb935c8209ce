import Foundation
import Granary
import TestSupport
import Testing

/// Imports into and exports from a container with several stores.
@Suite struct SeveralStoresTests {
    private let folder: TemporaryFolder
    private let container: PersistentContainer

    init() throws {
        folder = try TemporaryFolder()
        var model = ManagedObjectModel(entities: [
            EntityDescription("Shelf", [.attribute("name", .string)]),
            EntityDescription("Book", [.attribute("title", .string, .required)]),
        ])
        model.configurations = ["Shelves": ["Shelf"], "Books": ["Book"]].map {
            ConfigurationDescription(name: $0, entityNames: $1)
        }
        var descriptions: [PersistentStoreDescription] = []
        for name in ["Shelves", "Books"] {
            var description = PersistentStoreDescription(.sqlite(folder.url.appending(path: name + ".sqlite")))
            description.configuration = name
            descriptions.append(description)
        }
        container = try PersistentContainer(name: "Test", model: model, descriptions: descriptions)
        try container.loadPersistentStores()
    }

    private func importer(_ books: String) -> Importer {
        Importer(jobs: [
            ImportJob(entity: "Shelf", sources: [.text("name\nA\nB\n", format: .csv)]),
            ImportJob(entity: "Book", sources: [.text(books, format: .csv)]),
        ])
    }

    @Test func eachEntityGoesToItsStore() async throws {
        let report = try await importer("title\nOne\nTwo\nThree\n").run(into: container)
        #expect(report.created == 5)
        let counts = try await container.perform { context in
            try ["Shelf", "Book"].map { entity in
                Set(try context.fetchAll(entity).map { $0.objectID.storeIdentifier }).count
            }
        }
        #expect(counts == [1, 1])
        let stores = container.persistentStoreCoordinator.persistentStores
        let identifiers = try await container.perform { context in
            try ["Shelf", "Book"].map { try context.fetchAll($0).first?.objectID.storeIdentifier }
        }
        #expect(identifiers == stores.map(\.identifier))

        let out = folder.url.appending(path: "all.json")
        let exported = try await Exporter().run(container, to: .file(out))
        #expect(exported.tables.map(\.objects).reduce(0, +) == 5)
        let text = try String(contentsOf: out, encoding: .utf8)
        #expect(text.contains("\"Three\"") && text.contains("\"B\""))
    }

    @Test func aRefusedImportChangesNoStore() async throws {
        await #expect(throws: GranaryError.self) { try await importer("title\nOne\n\n\"\"\n,\n").run(into: container) }
        let counts = try await container.perform { context in
            try ["Shelf", "Book"].map { try context.fetchAll($0).count }
        }
        #expect(counts == [0, 0])
    }
}
