import Synchronization

/// Cancels long work from another thread. Stores are then unchanged.
package final class Cancellation: Sendable {
    /// The cancellation of the work that this thread does. Every statement of SQLite and every evaluation of a
    /// predicate on the thread ends with it.
    @TaskLocal package static var current: Cancellation?

    private let state = Atomic(false)

    package init() {}

    package var isCancelled: Bool { state.load(ordering: .acquiring) }

    package func cancel() { state.store(true, ordering: .releasing) }

    /// - Throws: ``GranaryError`` with code `interrupted` after ``cancel()`` was called.
    package func check() throws(GranaryError) {
        if isCancelled { throw GranaryError(.interrupted, "interrupted; nothing was changed") }
    }
}
