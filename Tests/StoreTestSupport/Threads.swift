import Dispatch
import Foundation

/// Runs work that waits on a thread of its own, because there may be only two threads for tasks.
package func onThread<Success: Sendable>(_ body: @escaping @Sendable () throws -> Success) -> Task<Success, any Error> {
    Task {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// A signal from one piece of work to another one.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func open() { semaphore.signal() }

    /// Waits for ``open()``, on a thread that is not one of the tasks'.
    package func wait() { semaphore.wait() }

    /// Waits for ``open()``.
    ///
    /// - Returns: whether it was called.
    @discardableResult
    package func opened(within seconds: Double = 60) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [semaphore] in
                continuation.resume(returning: semaphore.wait(timeout: .now() + seconds) == .success)
            }
        }
    }
}
