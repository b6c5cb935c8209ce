import Dispatch

/// A context that stays, reached from any task: work given to it runs on its own queue, one piece after the other.
/// (`NSManagedObjectContext` with `privateQueueConcurrencyType`)
///
/// ```swift
/// let background = container.newBackgroundContext()
/// let id = try await background.perform { context in
///     let coffee = try context.insert(into: "Coffee")
///     try context.save()
///     return coffee.objectID
/// }
/// ```
///
/// `@unchecked`: the context came in as `sending`, and is reached only on the queue.
public final class BackgroundContext: @unchecked Sendable {
    private let queue = DispatchQueue(label: "Granary.BackgroundContext")
    private let context: ManagedObjectContext

    init(_ context: sending ManagedObjectContext) { self.context = context }

    /// Runs `body` with the context after what was given before; ``ManagedObjectContext/processPendingChanges()``
    /// follows by itself. Changes that are not saved stay for the next call. (`perform(_:)`)
    ///
    /// - Throws: what `body` throws, and what merging throws.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    with: Swift.Result {
                        try context.mergePendingSaves()
                        let result = try body(context)
                        try context.processPendingChanges()
                        return result
                    })
            }
        }
    }

    /// Runs `body` with the context and waits for it; changes are announced only by
    /// ``ManagedObjectContext/processPendingChanges()`` or a save. Not to be called from `body`: it would wait for itself.
    /// (`performAndWait(_:)`)
    ///
    /// - Throws: what `body` throws.
    public func performAndWait<Result: Sendable>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        try queue.sync { try body(context) }
    }
}
