public import Foundation
public import GranaryBase
public import GranaryCoordination
public import GranaryModel
import Synchronization

/// A model with its stores and contexts. (`NSPersistentContainer`)
///
/// ```swift
/// let container = try PersistentContainer(model: model, store: .sqlite(url))
/// try await container.perform { context in
///     try context.insert(into: "Coffee").setValue("Sumatra", forKey: "name")
///     try context.save()
/// }
/// ```
public final class PersistentContainer: Sendable {
    /// The container's name, which is also the default file name of its store.
    public let name: String
    /// The coordinator that all contexts of the container share. (`NSPersistentContainer.persistentStoreCoordinator`)
    public let persistentStoreCoordinator: PersistentStoreCoordinator

    /// The queue for background work, one piece at a time.
    private let queue = DispatchQueue(label: "Granary.PersistentContainer")
    /// The queue for work that runs at the same time as other work.
    private static let background = DispatchQueue(label: "Granary.background", attributes: .concurrent)
    private let readLimit: TaskLimit
    private let descriptions: Mutex<[PersistentStoreDescription]>

    /// The context for the main actor.
    @MainActor public var viewContext: ManagedObjectContext {
        if let context = view.context { return context }
        let context = makeContext()
        view.context = context
        view.isUsed.store(true, ordering: .relaxed)
        return context
    }

    /// Holds the main actor's context, which is created on first use.
    private final class View: Sendable {
        @MainActor var context: ManagedObjectContext?
        let isUsed = Atomic<Bool>(false)

        nonisolated init() {}
    }

    private let view = View()
    /// The sequences that end with the container.
    let streams = ContainerStreams()

    deinit {
        guard view.isUsed.load(ordering: .relaxed) else { return }
        // The last reference may be released on any thread, but the context's objects belong to the main actor.
        Task { @MainActor [view] in view.context = nil }
    }

    /// Creates a container without open stores. `loadPersistentStores()` opens the stores in
    /// ``persistentStoreDescriptions``.
    ///
    /// - Parameters:
    ///   - descriptions: the initial ``persistentStoreDescriptions``.
    ///   - classes: subclasses of ``ManagedObject`` by the class names in the model, with or without a module
    ///     (`App.Customer`, `Customer`).
    ///   - transformers: transformers for Transformable attributes, in addition to the built-in ones.
    ///   - observer: receives what the stores and contexts do.
    /// - Throws: ``GranaryError`` if the model has problems (each is a diagnostic), or no entity has one of the class
    ///   names, or a class is registered under the name of another entity's class.
    public init(
        name: String, model: ManagedObjectModel, descriptions: [PersistentStoreDescription],
        classes: [String: ManagedObject.Type] = [:], transformers: AttributeTransformers = AttributeTransformers(),
        observer: (any PersistentContainerObserver)? = nil
    ) throws(GranaryError) {
        self.name = name
        persistentStoreCoordinator = try PersistentStoreCoordinator(
            schema: model.resolved(), classes: classes, transformers: transformers, observer: observer)
        self.descriptions = Mutex(descriptions)
        readLimit = TaskLimit(descriptions.map(\.maximumReaderCount).max() ?? PersistentStoreDescription.readerCount)
    }

    /// Creates a container and opens one store with all entities.
    ///
    /// - Throws: ``GranaryError`` if the model has problems (each is a diagnostic), the classes do not fit it, or the
    ///   store cannot be opened or created, or was created for another model.
    public convenience init(
        model: ManagedObjectModel, store: StoreLocation, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers(),
        observer: (any PersistentContainerObserver)? = nil
    ) throws(GranaryError) {
        let name = store.url?.deletingPathExtension().lastPathComponent ?? "Store"
        try self.init(
            name: name, model: model, descriptions: [PersistentStoreDescription(store)], classes: classes,
            transformers: transformers, observer: observer)
        try loadPersistentStores()
    }

    /// Creates a container and opens one store with all entities.
    ///
    /// - Parameter schema: the model, resolved. Several containers can share it.
    package init(
        schema: Schema, store: PersistentStoreDescription, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers()
    ) throws(GranaryError) {
        name = store.location.url?.deletingPathExtension().lastPathComponent ?? "Store"
        persistentStoreCoordinator = try PersistentStoreCoordinator(
            schema: schema, classes: classes, transformers: transformers)
        descriptions = Mutex([store])
        readLimit = TaskLimit(store.maximumReaderCount)
        try persistentStoreCoordinator.addPersistentStore(store)
    }

    /// - Parameter store: an open store. The caller must not use it any more.
    package init(
        store: sending any StoreBackend, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers()
    ) throws(GranaryError) {
        name = "Store"
        let schema = store.schema
        persistentStoreCoordinator = try PersistentStoreCoordinator(
            schema: schema, classes: classes, transformers: transformers)
        descriptions = Mutex([])
        readLimit = TaskLimit(PersistentStoreDescription.readerCount)
        try persistentStoreCoordinator.add(store)
    }

    /// The default folder for stores: the user's application-support folder. (`defaultDirectoryURL()`)
    public static var defaultDirectoryURL: URL {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        return folders.first ?? FileManager.default.temporaryDirectory
    }

    /// The stores to load. (`persistentStoreDescriptions`)
    public var persistentStoreDescriptions: [PersistentStoreDescription] {
        get { descriptions.withLock { $0 } }
        set { descriptions.withLock { $0 = newValue } }
    }

    /// The model, resolved.
    public var schema: Schema { persistentStoreCoordinator.schema }

    /// The saves of all contexts from now on.
    public var saves: Saves { persistentStoreCoordinator.saves }

    // MARK: - Loading

    /// Opens all described stores that are not open yet.
    ///
    /// - Throws: ``GranaryError`` for the first store that cannot be opened or created; the stores before it stay open.
    public func loadPersistentStores() throws(GranaryError) {
        for description in missingDescriptions { if let error = load(description) { throw error } }
    }

    /// Opens the stores like `loadPersistentStores()`, in the background.
    ///
    /// - Throws: as `loadPersistentStores()`.
    public func loadPersistentStores() async throws {
        try await queue.run { [self] in try loadAllNow() }
    }

    /// Opens the stores that are not open yet and calls `completionHandler` for each of them, with the error or nil. A
    /// description with ``PersistentStoreDescription/shouldAddStoreAsynchronously`` is loaded on the container's queue.
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
            // Nothing else creates the folder. If this fails, opening the store reports the error.
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        do throws(GranaryError) {
            try persistentStoreCoordinator.addPersistentStore(description)
            return nil
        } catch { return error }
    }

    private func loadAllNow() throws { try loadPersistentStores() }

    private var missingDescriptions: [PersistentStoreDescription] {
        var present = persistentStoreCoordinator.persistentStores.map(\.storeDescription)
        // Two equal descriptions in memory are two stores; two descriptions of one file are one store.
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

    /// Runs `body` in the background with a new context, after earlier work. Changes that `body` does not save are
    /// lost.
    ///
    /// Cancelling the task interrupts reading and, before its commit, a save.
    ///
    /// - Throws: any error from `body`; ``GranaryError`` with code `interrupted` if the task was cancelled.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await queue.run { [persistentStoreCoordinator] in
            let context = ManagedObjectContext(coordinator: persistentStoreCoordinator)
            let result = try body(context)
            try context.processPendingChanges()
            return result
        }
    }

    /// Runs `body` in the background with a new context that cannot save, at the same time as other reads and as a
    /// writer.
    ///
    /// All fetches and faults of `body` read one state of each SQLite store with a write-ahead log, whatever others save
    /// meanwhile (``ManagedObjectContext/setQueryGeneration(_:)``). Other stores are read as by any context: one reader
    /// or writer at a time. At most ``PersistentStoreDescription/maximumReaderCount`` calls of a container run at once,
    /// those of tasks with a higher priority first. Cancelling the task interrupts the reading.
    ///
    /// - Throws: any error from `body`; ``GranaryError`` with code `interrupted` if the task was cancelled.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await readLimit.run { [persistentStoreCoordinator] in
            try await Self.background.run {
                try body(try ManagedObjectContext(reading: persistentStoreCoordinator))
            }
        }
    }

    /// Runs `body` in the background with a new context, at the same time as other work. Changes that `body` does not
    /// save are lost; `body` handles its errors. (`performBackgroundTask(_:)`)
    public func performBackgroundTask(_ body: @escaping @Sendable (ManagedObjectContext) -> Void) {
        Self.background.async { [persistentStoreCoordinator] in
            body(ManagedObjectContext(coordinator: persistentStoreCoordinator))
        }
    }

    /// Runs `body` like the method above and returns its result. Cancelling the task interrupts reading and, before its
    /// commit, a save. (`performBackgroundTask(_:)`)
    ///
    /// - Throws: any error from `body`; ``GranaryError`` with code `interrupted` if the task was cancelled.
    public func performBackgroundTask<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await Self.background.run { [persistentStoreCoordinator] in
            let context = ManagedObjectContext(coordinator: persistentStoreCoordinator)
            let result = try body(context)
            try context.processPendingChanges()
            return result
        }
    }

    /// Creates a context, which must stay in the caller's isolation.
    public func makeContext() -> sending ManagedObjectContext {
        ManagedObjectContext(coordinator: persistentStoreCoordinator)
    }

    /// Creates a context with a private queue, which any task can use. (`newBackgroundContext()`)
    public func newBackgroundContext() -> BackgroundContext {
        BackgroundContext(ManagedObjectContext(coordinator: persistentStoreCoordinator))
    }

    /// Runs `body` with all stores as one for bulk import and export: see
    /// ``PersistentStoreCoordinator/withStore(forReading:_:)``.
    package func withStore<Result>(
        forReading: Bool = false, _ body: (any StoreBackend) throws -> sending Result
    ) throws -> sending Result {
        try persistentStoreCoordinator.withStore(forReading: forReading, body)
    }
}
