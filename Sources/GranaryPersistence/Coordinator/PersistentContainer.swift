public import GranaryBase
public import GranaryModel
import Foundation

/// The whole stack: a model, a store, and contexts on it. (`NSPersistentContainer`)
///
/// ```swift
/// let container = try PersistentContainer(model: model, store: .sqlite(url))
/// try await container.perform { context in
///     try context.insert(into: "Coffee").setValue("Sumatra", forKey: "name")
///     try context.save()
/// }
/// ```
public final class PersistentContainer: Sendable {
    /// What all contexts of the container share. (`NSPersistentContainer.persistentStoreCoordinator`)
    public let persistentStoreCoordinator: PersistentStoreCoordinator

    /// Background work runs here, one piece after the other.
    private let queue = DispatchQueue(label: "Granary.PersistentContainer")

    /// The context for the main actor.
    @MainActor public var viewContext: ManagedObjectContext {
        if let madeViewContext { return madeViewContext }
        let context = makeContext()
        madeViewContext = context
        return context
    }

    /// Made when it is first asked for.
    @MainActor private var madeViewContext: ManagedObjectContext?

    /// Checks the model and opens the store.
    ///
    /// - Parameters:
    ///   - classes: subclasses of ``ManagedObject`` by the class names that the model's entities have; with or
    ///     without a module (`App.Customer`, `Customer`).
    /// - Throws: ``GranaryError`` when the model has problems (each is a diagnostic), when the store cannot be opened
    ///   or made, or was made for another model.
    public convenience init(
        model: ManagedObjectModel, store: StoreLocation, classes: [String: ManagedObject.Type] = [:]
    ) throws(GranaryError) {
        let schema = try model.resolved()
        self.init(store: try StoreOpening.open(store, schema: schema), classes: classes)
    }

    /// - Parameter store: a store that nobody else uses.
    package init(store: sending any PersistentStore, classes: [String: ManagedObject.Type] = [:]) {
        persistentStoreCoordinator = PersistentStoreCoordinator(store: store, classes: classes)
    }

    /// The model, resolved.
    public var schema: Schema { persistentStoreCoordinator.schema }

    /// Runs `body` in the background with a context of its own, after what was given before. What `body` does not
    /// save is lost with its context.
    ///
    /// - Throws: what `body` throws.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [persistentStoreCoordinator] in
                let context = ManagedObjectContext(coordinator: persistentStoreCoordinator)
                continuation.resume(with: Swift.Result { try body(context) })
            }
        }
    }

    /// A new context, for whoever asks for it.
    public func makeContext() -> sending ManagedObjectContext {
        ManagedObjectContext(coordinator: persistentStoreCoordinator)
    }

    /// Runs `body` with the store, while nobody else uses it: for bulk import and export.
    ///
    /// `body` must not keep the store, and must not use the container or a context of it.
    package func withStore<Result>(_ body: (any PersistentStore) throws -> sending Result) throws -> sending Result {
        try persistentStoreCoordinator.withStore(body)
    }
}
