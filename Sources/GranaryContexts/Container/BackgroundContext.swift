import Dispatch
import GranaryCoordination

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

    /// Says that code runs on the queue.
    private let key = DispatchSpecificKey<Void>()

    init(_ context: sending ManagedObjectContext) {
        self.context = context
        queue.setSpecific(key: key, value: ())
    }

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
    /// ``ManagedObjectContext/processPendingChanges()`` or a save. It may be called from `body`
    /// too. (`performAndWait(_:)`)
    ///
    /// - Throws: what `body` throws.
    public func performAndWait<Result: Sendable>(
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        if DispatchQueue.getSpecific(key: key) != nil { return try body(context) }
        return try queue.sync { try body(context) }
    }
}
