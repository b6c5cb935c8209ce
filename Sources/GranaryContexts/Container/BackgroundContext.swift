import Dispatch
import GranaryCoordination

/// A long-lived context that any task can use. Its work runs on a private queue, one piece at a time.
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
/// `@unchecked`: the initialiser takes the context as `sending`, and it is used only on the queue.
public final class BackgroundContext: @unchecked Sendable {
    private let queue = DispatchQueue(label: "Granary.BackgroundContext")
    private let context: ManagedObjectContext

    /// Marks code that runs on the queue.
    private let key = DispatchSpecificKey<Void>()

    init(_ context: sending ManagedObjectContext) {
        self.context = context
        queue.setSpecific(key: key, value: ())
    }

    /// Runs `body` with the context, after earlier work, then ``ManagedObjectContext/processPendingChanges()``. Unsaved
    /// changes remain for the next call. (`perform(_:)`)
    ///
    /// - Throws: any error from `body` and from merging.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await queue.run { [self] in
            try context.mergePendingSaves()
            let result = try body(context)
            try context.processPendingChanges()
            return result
        }
    }

    /// Runs `body` with the context and waits for it. Changes are announced only by
    /// ``ManagedObjectContext/processPendingChanges()`` or a save. It can also be called from inside `body`.
    /// (`performAndWait(_:)`)
    ///
    /// - Throws: any error from `body`.
    public func performAndWait<Result: Sendable>(
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        if DispatchQueue.getSpecific(key: key) != nil { return try body(context) }
        return try queue.sync { try body(context) }
    }
}

extension DispatchQueue {
    /// Runs `body` on the queue and returns its result.
    func run<Success: Sendable>(_ body: @escaping @Sendable () throws -> Success) async throws -> Success {
        try await withCheckedThrowingContinuation { continuation in
            self.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
