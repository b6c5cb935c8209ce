import GranaryBase
import Synchronization

/// Lets a limited number of tasks run at the same time. Others wait without a thread, those with the highest priority
/// first.
final class TaskLimit: Sendable {
    private struct Waiter {
        let number: Int
        let priority: TaskPriority
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var count = 0
        var waiters: [Waiter] = []
        /// Tasks that were cancelled before they waited.
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>

    init(_ limit: Int) { state = Mutex(State(free: max(1, limit))) }

    /// Runs `body` when it is the task's turn.
    ///
    /// - Throws: ``GranaryError`` with code `interrupted` if the task is cancelled while it waits; any error from
    ///   `body`.
    func run<Success>(_ body: () async throws -> sending Success) async throws -> sending Success {
        guard await take() else { throw GranaryError(.interrupted, "interrupted before the stores were read") }
        defer { give() }
        return try await body()
    }

    /// Returns false if the task was cancelled.
    private func take() async -> Bool {
        let number = state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                return 0
            }
            state.count += 1
            return state.count
        }
        guard number > 0 else { return true }
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> Bool? in
                    if state.cancelled.contains(number) { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    let waiter = Waiter(number: number, priority: Task.currentPriority, continuation: continuation)
                    let place = state.waiters.firstIndex { $0.priority < waiter.priority } ?? state.waiters.endIndex
                    state.waiters.insert(waiter, at: place)
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func cancel(_ number: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let place = state.waiters.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.waiters.remove(at: place)
        }
        waiter?.continuation.resume(returning: false)
    }

    private func give() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}
