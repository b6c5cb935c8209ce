import Foundation

/// Runs long, blocking work for asynchronous callers.
package enum InBackground {
    /// Runs `body` on a new thread, so that it does not block a thread of the pool that all tasks share.
    ///
    /// - Parameter body: receives a ``Cancellation`` that is cancelled with the calling task.
    /// - Throws: what `body` throws.
    package static func run<Result: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let thread = Thread {
                    continuation.resume(
                        with: Swift.Result {
                            try Cancellation.$current.withValue(cancellation) { try body(cancellation) }
                        })
                }
                thread.name = "Granary"
                thread.start()
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
