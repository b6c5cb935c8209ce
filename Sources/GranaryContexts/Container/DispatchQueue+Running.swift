import Dispatch
import GranaryBase

extension DispatchQueue {
    /// Runs `body` on the queue with the priority of the calling task and returns its result. Cancelling the task
    /// interrupts statements and the waiting for stores in `body`.
    ///
    /// - Throws: ``GranaryError`` with code `interrupted` if the task was cancelled before `body` began; any error from
    ///   `body`.
    func run<Success: Sendable>(_ body: @escaping @Sendable () throws -> Success) async throws -> Success {
        let cancellation = Cancellation()
        let priority = DispatchQoS(Task.currentPriority)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.async(qos: priority) {
                    continuation.resume(
                        with: Result {
                            try Cancellation.$current.withValue(cancellation) {
                                try cancellation.check()
                                return try body()
                            }
                        })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}

extension DispatchQoS {
    fileprivate init(_ priority: TaskPriority) {
        switch priority {
        case .high...: self = .userInitiated
        case .medium...: self = .default
        case .low...: self = .utility
        default: self = .background
        }
    }
}
