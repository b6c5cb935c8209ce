public import Foundation
public import GranaryBase
public import GranaryCoordination
public import GranaryModel
import Synchronization

/// The whole stack: a model, its stores, and contexts on them. (`NSPersistentContainer`)
///
/// ```swift
/// let container = try PersistentContainer(model: model, store: .sqlite(url))
/// try await container.perform { context in
///     try context.insert(into: "Coffee").setValue("Sumatra", forKey: "name")
///     try context.save()
/// }
/// ```
public final class PersistentContainer: Sendable {
    /// What the container is called; the name of its store's file where nothing else is said.
    public let name: String
    /// What all contexts of the container share. (`NSPersistentContainer.persistentStoreCoordinator`)
    public let persistentStoreCoordinator: PersistentStoreCoordinator

    /// Background work runs here, one piece after the other.
    private let queue = DispatchQueue(label: "Granary.PersistentContainer")
    private let descriptions: Mutex<[PersistentStoreDescription]>

    /// The context for the main actor.
    @MainActor public var viewContext: ManagedObjectContext {
        if let context = view.context { return context }
        let context = makeContext()
        view.context = context
        view.isUsed.store(true, ordering: .relaxed)
        return context
    }

    /// The main actor's context, made when it is first asked for.
    private final class View: Sendable {
        @MainActor var context: ManagedObjectContext?
        let isUsed = Atomic<Bool>(false)

        nonisolated init() {}
    }

    private let view = View()

    deinit {
        guard view.isUsed.load(ordering: .relaxed) else { return }
        // The last one to hold the container may be on any thread, and the context's objects are the main actor's.
        Task { @MainActor [view] in view.context = nil }
    }

    /// A container without open stores. `loadPersistentStores()` opens those of its ``persistentStoreDescriptions``.
    ///
    /// - Parameters:
    ///   - descriptions: the first ``persistentStoreDescriptions``.
    ///   - classes: subclasses of ``ManagedObject`` by the class names that the model's entities have; with or without
    ///     a module (`App.Customer`, `Customer`).
    ///   - transformers: those of Transformable attributes beside the built-in ones.
    /// - Throws: ``GranaryError`` when the model has problems; each is a diagnostic.
    public init(
        name: String, model: ManagedObjectModel, descriptions: [PersistentStoreDescription],
        classes: [String: ManagedObject.Type] = [:], transformers: AttributeTransformers = AttributeTransformers()
    ) throws(GranaryError) {
        self.name = name
        persistentStoreCoordinator = PersistentStoreCoordinator(
            schema: try model.resolved(), classes: classes, transformers: transformers)
        self.descriptions = Mutex(descriptions)
    }

    /// Checks the model and opens one store with all entities.
    ///
    /// - Throws: ``GranaryError`` when the model has problems (each is a diagnostic), when the store cannot be opened
    ///   or made, or was made for another model.
    public convenience init(
        model: ManagedObjectModel, store: StoreLocation, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers()
    ) throws(GranaryError) {
        let name = store.url?.deletingPathExtension().lastPathComponent ?? "Store"
        try self.init(
            name: name, model: model, descriptions: [PersistentStoreDescription(store)], classes: classes,
            transformers: transformers)
        try loadPersistentStores()
    }

    /// - Parameter store: a store that nobody else uses.
    package init(
        store: sending any PersistentStore, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers()
    ) throws(GranaryError) {
        name = "Store"
        let schema = store.schema
        persistentStoreCoordinator = PersistentStoreCoordinator(
            schema: schema, classes: classes, transformers: transformers)
        descriptions = Mutex([])
        try persistentStoreCoordinator.add(store)
    }

    /// The folder for stores that no description places elsewhere: the user's for applications' data.
    /// (`defaultDirectoryURL()`)
    public static var defaultDirectoryURL: URL {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        return folders.first ?? FileManager.default.temporaryDirectory
    }

    /// The stores that loading opens. (`persistentStoreDescriptions`)
    public var persistentStoreDescriptions: [PersistentStoreDescription] {
        get { descriptions.withLock { $0 } }
        set { descriptions.withLock { $0 = newValue } }
    }

    /// The model, resolved.
    public var schema: Schema { persistentStoreCoordinator.schema }

    /// The saves of all contexts from now on.
    public var saves: Saves { persistentStoreCoordinator.saves }

    // MARK: - Loading

    /// Opens all stores of the descriptions that are not open yet.
    ///
    /// - Throws: ``GranaryError`` of the first store that cannot be opened or made; those before it stay open.
    public func loadPersistentStores() throws(GranaryError) {
        for description in missingDescriptions { if let error = load(description) { throw error } }
    }

    /// `loadPersistentStores()` in the background.
    ///
    /// - Throws: as that.
    public func loadPersistentStores() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                continuation.resume(with: Swift.Result { try loadAllNow() })
            }
        }
    }

    /// Opens the stores that are not open yet, and calls `completionHandler` for each of them with what went wrong, nil
    /// for nothing; where all are open it is not called. A description with
    /// ``PersistentStoreDescription/shouldAddStoreAsynchronously`` is loaded on the container's queue.
    /// (`loadPersistentStores(completionHandler:)`)
    public func loadPersistentStores(
        completionHandler: @escaping @Sendable (PersistentStoreDescription, GranaryError?) -> Void
    ) {
        for description in missingDescriptions {
            guard description.shouldAddStoreAsynchronously else {
                completionHandler(description, load(description))
                continue
            }
            queue.async { [self] in completionHandler(description, load(description)) }
        }
    }

    private func load(_ description: PersistentStoreDescription) -> GranaryError? {
        let folder = Self.defaultDirectoryURL
        if description.location.url?.deletingLastPathComponent().standardizedFileURL == folder.standardizedFileURL {
            // Nobody else would make it. Where it cannot be made, opening the store says so.
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        do throws(GranaryError) {
            try persistentStoreCoordinator.addPersistentStore(description)
            return nil
        } catch { return error }
    }

    private func loadAllNow() throws { try loadPersistentStores() }

    private var missingDescriptions: [PersistentStoreDescription] {
        var present = persistentStoreCoordinator.attachedStores.map(\.storeDescription)
        // Two equal descriptions of stores in memory are two stores; a file is one, however it was opened.
        return persistentStoreDescriptions.filter { description in
            let isSame = { (other: PersistentStoreDescription) in
                description.location == .inMemory ? other == description : other.location == description.location
            }
            guard let index = present.firstIndex(where: isSame) else { return true }
            present.remove(at: index)
            return false
        }
    }

    // MARK: - Contexts

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
                continuation.resume(
                    with: Swift.Result {
                        let result = try body(context)
                        try context.processPendingChanges()
                        return result
                    })
            }
        }
    }

    /// ``perform(_:)`` for who does not wait: errors are the business of `body`. (`performBackgroundTask(_:)`)
    public func performBackgroundTask(_ body: @escaping @Sendable (ManagedObjectContext) -> Void) {
        queue.async { [persistentStoreCoordinator] in
            body(ManagedObjectContext(coordinator: persistentStoreCoordinator))
        }
    }

    /// A new context, for whoever asks for it; it lives where it is asked for.
    public func makeContext() -> sending ManagedObjectContext {
        ManagedObjectContext(coordinator: persistentStoreCoordinator)
    }

    /// A context on a queue of its own, that any task may give work to. (`newBackgroundContext()`)
    public func newBackgroundContext() -> BackgroundContext {
        BackgroundContext(ManagedObjectContext(coordinator: persistentStoreCoordinator))
    }

    /// Runs `body` with the first store for bulk import and export: see
    /// ``PersistentStoreCoordinator/withStore(forReading:_:)``.
    package func withStore<Result>(
        forReading: Bool = false, _ body: (any PersistentStore) throws -> sending Result
    ) throws -> sending Result {
        try persistentStoreCoordinator.withStore(forReading: forReading, body)
    }
}
