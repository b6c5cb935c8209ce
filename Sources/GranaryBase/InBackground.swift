import Foundation

/// Work that takes long and blocks, for asynchronous callers.
package enum InBackground {
    /// Runs `body` on a thread of its own, so that no thread of the pool that all tasks share is blocked.
    ///
    /// - Parameter body: receives what is cancelled when the calling task is.
    /// - Throws: what `body` throws.
    package static func run<Result: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let thread = Thread {
                    continuation.resume(with: Swift.Result { try body(cancellation) })
                }
                thread.name = "Granary"
                thread.start()
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
