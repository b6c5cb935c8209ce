import Granary

/// Shows two contexts on one store, one on the main actor and one on a queue of its own, and how what one saves gets into the other. Only IDs
/// and values go from one to the other, never objects.
@MainActor
final class TwoContexts {
    let view: ManagedObjectContext
    private let background: BackgroundContext
    private let saves: Saves

    init(_ container: PersistentContainer) {
        view = container.viewContext
        // Where a save meets the other's, both are kept; of a property that both changed, the value here.
        view.mergePolicy = .mergeByPropertyObjectTrump
        background = container.newBackgroundContext()
        saves = container.saves
    }

    /// Renames a customer in the background, and saves.
    func rename(_ id: ManagedObjectID, to name: String) async throws {
        try await background.perform { context in
            guard let customer = try context.existingObject(with: id) as? Customer else { return }
            try customer.setName(name)
            try context.save()
        }
    }

    /// Merges by hand: every save, as it is announced, until the task is cancelled. Changes that the view context has
    /// not saved stay on top.
    func mergeSaves() async throws {
        for await changes in saves { try view.mergeChanges(from: changes) }
    }

    /// Or leaves it to the view context, which merges at its next fetch, save or `processPendingChanges()`.
    func mergeAutomatically() { view.automaticallyMergesChangesFromParent = true }
}
