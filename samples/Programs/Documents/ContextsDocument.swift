import Foundation
import Granary

/// The programs of docs/contexts.md.
enum ContextsDocument {
    /// A container for a server: its readers do not wait for the writer.
    static func open(_ model: ManagedObjectModel, at url: URL) async throws -> PersistentContainer {
        var description = PersistentStoreDescription(.sqlite(url))
        description.journalMode = .wal
        description.synchronous = .normal
        description.maximumReaderCount = 8
        let container = try PersistentContainer(name: "Library", model: model, descriptions: [description])
        try await container.loadPersistentStores()
        return container
    }

    static func write(_ container: PersistentContainer) async throws -> ManagedObjectID {
        let id = try await container.perform { context in
            let author = try context.insert(into: "Author")
            try author.setValue("Ann", forKey: "name")
            try context.save()
            return author.objectID
        }
        return id
    }

    static func read(_ container: PersistentContainer, _ id: ManagedObjectID) async throws -> String? {
        let name = try await container.read { context in
            try context.existingObject(with: id).string(forKey: "name")
        }
        return name
    }

    static func background(_ container: PersistentContainer, _ id: ManagedObjectID) async throws {
        let background = container.newBackgroundContext()
        try await background.perform { context in
            context.name = "renaming"
            try context.existingObject(with: id).setValue("Bea", forKey: "name")
        }
        try await background.perform { context in try context.save() }
    }

    static func child(_ container: PersistentContainer, _ id: ManagedObjectID) throws {
        let context = container.makeContext()
        let draft = context.makeChild()
        try draft.existingObject(with: id).setValue("Cleo", forKey: "name")
        try draft.save()  // into the parent
        try context.save()  // into the store
    }

    @MainActor static func merge(_ container: PersistentContainer) async throws {
        container.viewContext.automaticallyMergesChangesFromParent = true
        container.viewContext.mergePolicy = .mergeByPropertyObjectTrump
    }

    static func follow(_ container: PersistentContainer) async {
        for await changes in container.saves where !changes.isIntoParent { print(changes) }
    }

    static func generations(_ container: PersistentContainer) throws -> [Int] {
        let context = container.makeContext()
        try context.setQueryGeneration(.current)
        let before = try context.count("Author")
        let other = container.makeContext()
        try other.insert(into: "Author").setValue("Dora", forKey: "name")
        try other.save()
        let same = try context.count("Author")  // as before
        try context.setQueryGeneration(nil)
        let after = try context.count("Author")  // one more
        return [before, same, after]
    }

    static func cancel(_ container: PersistentContainer) async throws {
        let task = Task(priority: .high) {
            try await container.read { context in try context.count("Book") }
        }
        task.cancel()
        do {
            print(try await task.value)
        } catch let error as GranaryError where error.code == .interrupted {
            print("interrupted")
        }
    }
}
