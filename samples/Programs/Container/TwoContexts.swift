import Granary

/// Shows two contexts on one store, one on the main actor and one on a background queue, and how to merge the saves of
/// one into the other. Only IDs and values are passed between them, never objects.
@MainActor
final class TwoContexts {
    let view: ManagedObjectContext
    private let background: BackgroundContext
    private let saves: Saves

    init(_ container: PersistentContainer) {
        view = container.viewContext
        // Changes of both contexts are kept. If both changed the same property, the value of this context is kept.
        view.mergePolicy = .mergeByPropertyObjectTrump
        background = container.newBackgroundContext()
        saves = container.saves
    }

    /// Renames a customer in the background, and saves.
    func rename(_ id: ManagedObjectID, to name: String) async throws {
        try await background.perform { context in
            guard let customer = try context.existingObject(with: id) as? Customer else { return }
            customer.name = name
            try context.save()
        }
    }

    /// Merges every save into the view context until the task is cancelled. Unsaved changes of the view context are
    /// kept.
    func mergeSaves() async throws {
        for await changes in saves { try view.mergeChanges(from: changes) }
    }

    /// Lets the view context merge saves itself, at its next fetch, save or `processPendingChanges()`.
    func mergeAutomatically() { view.automaticallyMergesChangesFromParent = true }
}
