import Granary

/// The process that writes.
enum LibraryWriter {
    static func add(_ title: String, to container: PersistentContainer) async throws {
        try await container.perform { context in
            context.transactionAuthor = "writer"
            context.name = "additions"
            try context.insert(into: "Book").setValue(.string(title), forKey: "title")
            try context.save()
        }
    }
}
