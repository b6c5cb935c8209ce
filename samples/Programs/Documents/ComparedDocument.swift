import Foundation
import Granary

/// The Granary side of docs/from-grdb-and-fluent.md.
enum ComparedDocument {
    static func open(_ url: URL, _ model: ManagedObjectModel) throws -> PersistentContainer {
        var description = PersistentStoreDescription(.sqlite(url))
        description.journalMode = .wal
        let container = try PersistentContainer(name: "Library", model: model, descriptions: [description])
        try container.loadPersistentStores()
        return container
    }

    static func insert(_ container: PersistentContainer) async throws {
        try await container.perform { context in
            let book = try context.insert(into: "Book")
            try book.setValue("Trees", forKey: "title")
            try context.save()
        }
    }

    static func query(_ container: PersistentContainer) async throws -> [String] {
        let titles = try await container.read { context in
            try context.fetch("Book", where: "pages > %@", 100, sort: "title").compactMap { try $0.string(forKey: "title") }
        }
        return titles
    }

    static func eager(_ context: ManagedObjectContext) throws -> [ManagedObject] {
        var request = FetchRequest("Author")
        request.relationshipKeyPathsForPrefetching = ["books"]
        let authors = try context.fetch(request)
        return authors
    }

    static func transaction(_ container: PersistentContainer) async throws {
        try await container.perform { context in
            for book in try context.fetch("Book", where: "pages == nil") { try context.delete(book) }
            let author = try context.insert(into: "Author")
            try author.setValue("Ann", forKey: "name")
            try context.save()  // all of it, or nothing
        }
    }

    static func observe(_ container: PersistentContainer) async throws {
        for await changes in container.saves where !changes.isIntoParent {
            guard changes.inserted.contains(where: { $0.entityName == "Book" }) else { continue }
            print(try await container.read { try $0.count("Book") })
        }
    }

    static func migrate(_ url: URL, _ newModel: ManagedObjectModel) throws -> PersistentContainer {
        // Migrates the store, because its version of the model is older.
        let container = try PersistentContainer(model: newModel, store: .sqlite(url))
        return container
    }
}
