import Foundation
import GranaryCoordination
import Synchronization

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
    /// The thread that runs work on the queue at present. Work that waits for its own queue would end the process, so
    /// ``performAndWait(_:)`` checks the thread. The current queue would not show this: it may be the queue of another
    /// context, whose work runs inside the work of this one.
    private let holder = Mutex<ObjectIdentifier?>(nil)

    init(_ context: sending ManagedObjectContext) { self.context = context }

    /// Runs `body` with the context, after earlier work, then ``ManagedObjectContext/processPendingChanges()``. Unsaved
    /// changes remain for the next call. (`perform(_:)`)
    ///
    /// - Throws: any error from `body` and from merging.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await queue.run { [self] in
            try holding {
                try context.mergePendingSaves()
                let result = try body(context)
                try context.processPendingChanges()
                return result
            }
        }
    }

    /// Runs `body` with the context and waits for it. Changes are announced only by
    /// ``ManagedObjectContext/processPendingChanges()`` or a save. (`performAndWait(_:)`)
    ///
    /// It can also be called inside `body`, directly or inside `performAndWait` of another context: the inner `body`
    /// then runs at once. Two threads that each wait for the context of the other wait without end, as with any lock.
    ///
    /// - Throws: any error from `body`.
    public func performAndWait<Result: Sendable>(
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        if holder.withLock({ $0 }) == ObjectIdentifier(Thread.current) { return try body(context) }
        return try queue.sync { try holding { try body(context) } }
    }

    /// Runs work on the queue.
    private func holding<Result>(_ work: () throws -> Result) rethrows -> Result {
        holder.withLock { $0 = ObjectIdentifier(Thread.current) }
        defer { holder.withLock { $0 = nil } }
        return try work()
    }
}
